/** What our tests use of playwright-core, which is installed by those that open a browser. */
export interface Browser {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

export interface BrowserContextOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly reducedMotion?: 'reduce';
}

interface BrowserContext {
  addInitScript(script: string): Promise<unknown>;
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

type Name = string | RegExp;
interface Exact {
  readonly exact?: boolean;
}

/** Where elements are looked for. */
interface Within {
  getByRole(role: string, options?: Exact & { readonly name?: Name; readonly level?: number }): Locator;
  getByText(text: Name, options?: Exact): Locator;
  getByLabel(text: Name, options?: Exact): Locator;
  locator(selector: string, options?: { readonly hasText: string }): Locator;
}

export interface Page extends Within {
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  readonly mouse: {
    move(x: number, y: number): Promise<void>;
    wheel(x: number, y: number): Promise<void>;
  };
  on(event: 'console', listen: (message: { type(): string; text(): string }) => void): unknown;
  on(event: 'pageerror', listen: (error: Error) => void): unknown;
  on(event: 'request', listen: (request: Request) => void): unknown;
  on(event: 'response', listen: (response: Response) => void): unknown;
  route(url: string, answer: (route: Route) => unknown): Promise<unknown>;
  context(): BrowserContext;
  evaluate(script: string): Promise<unknown>;
  goto(url: string): Promise<unknown>;
  goBack(): Promise<unknown>;
  reload(): Promise<unknown>;
  setContent(html: string): Promise<void>;
  close(): Promise<void>;
  url(): string;
  title(): Promise<string>;
  screenshot(options: { readonly path: string; readonly fullPage?: boolean }): Promise<unknown>;
  setDefaultTimeout(ms: number): void;
  waitForEvent(event: 'download'): Promise<{ path(): Promise<string> }>;
  waitForLoadState(state: 'networkidle'): Promise<void>;
  waitForTimeout(ms: number): Promise<void>;
  waitForURL(url: Name): Promise<void>;
}

interface Request {
  method(): string;
  postData(): string | null;
  resourceType(): string;
  url(): string;
}

interface Response {
  ok(): boolean;
  request(): Request;
  text(): Promise<string>;
}

interface Route {
  continue(): Promise<void>;
  fulfill(answer: object): Promise<void>;
}

type Action = 'blur' | 'click' | 'focus' | 'hover';
type Texts = 'allInnerTexts' | 'allTextContents';
type Flag = 'isDisabled' | 'isVisible';

export interface Locator
  extends Within,
    Record<Action, () => Promise<void>>,
    Record<Texts, () => Promise<string[]>>,
    Record<Flag, () => Promise<boolean>> {
  first(): Locator;
  last(): Locator;
  nth(i: number): Locator;
  all(): Promise<Locator[]>;
  filter(options: { readonly hasText: string }): Locator;
  count(): Promise<number>;
  fill(text: string): Promise<void>;
  pressSequentially(text: string, options?: { readonly delay: number }): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  waitFor(options?: { readonly state: 'detached' }): Promise<void>;
  evaluate<T>(read: (element: { ownerDocument: { activeElement: unknown } }) => T): Promise<T>;
  boundingBox(): Promise<{ readonly x: number; readonly y: number; readonly width: number } | null>;
  getAttribute(name: string): Promise<string | null>;
  inputValue(): Promise<string>;
  textContent(): Promise<string | null>;
}
