import type { Catalog } from '../../../contracts/catalog.ts';
import type { Rejection } from '../../../contracts/coverage.ts';
import { QueryError } from '../../../contracts/errors.ts';
import type { Endpoint } from '../../../contracts/service.ts';
import type { Question } from '../../../contracts/split.ts';
import type { Query } from '../../../sql/index.ts';
import { ValueGuard } from '../../english/value-guard.ts';
import { Lexicon } from '../../english/words/lexicon.ts';
import { gatherTemplates, memberOf, type Template } from '../../template/template.ts';
import type { RestCandidate } from '../candidate.ts';
import { isolateBugs, type OnBug } from '../isolate-bugs.ts';
import { candidateOf } from './candidate-of.ts';
import { type DescribedEndpoint, describeEndpoints } from './endpoint.ts';
import type { PathChoices } from './path-choices.ts';

export interface RestContext {
  readonly split: string;
  readonly db: string;
  readonly catalog: Catalog;
  /** What people call the domain. */
  readonly title: string;
  /** Which choices stand in the path; none unless given. */
  readonly pathChoices?: PathChoices | undefined;
  /** Without it the first fault of ours ends everything. */
  readonly onBug?: OnBug | undefined;
}

export interface LoweredRest {
  /** One a template, in order of the first question that needs it. */
  readonly endpoints: Endpoint[];
  /** One a question, in the order given. */
  readonly candidates: RestCandidate[];
  readonly rejections: { readonly question: Question; readonly rejection: Rejection }[];
}

/**
 * Lowers the bound queries of one domain to REST: the literals that are a user's choice become parameters,
 * queries of one template become one endpoint, and each question becomes one call of it.
 */
export function lowerRest(
  queries: readonly { readonly question: Question; readonly query: Query }[],
  context: RestContext,
): LoweredRest {
  const rejections: { question: Question; rejection: Rejection }[] = [];
  const reject = (question: Question, error: unknown) => {
    if (!(error instanceof QueryError)) throw error;
    rejections.push({ question, rejection: error.toRejection() });
  };
  const members = queries.flatMap(({ question, query }) => {
    try {
      return [isolateBugs(question, context.onBug, () => memberOf(question, query, context.catalog))];
    } catch (error) {
      reject(question, error);
      return [];
    }
  });
  const guard = new ValueGuard(members.flatMap(({ member }) => member.choices));
  const lexicon = new Lexicon(
    context.catalog,
    queries.map(({ question }) => question),
    (prose) => guard.holdsValue(prose),
  );
  const { templates, endpoints } = describeAll(gatherTemplates(members), lexicon, context, reject);
  const candidates = new Map(
    templates.flatMap((template, i) =>
      template.members.map((member) => {
        const endpoint = endpoints[i];
        if (endpoint === undefined) throw new Error('a template without an endpoint');
        return [member.question, candidateOf(member, endpoint.endpoint, endpoint.parameterNames)] as const;
      }),
    ),
  );
  return {
    endpoints: endpoints.map(({ endpoint }) => endpoint),
    candidates: queries.flatMap(({ question }) => candidates.get(question) ?? []),
    rejections,
  };
}

/** Describes templates together; should that fail, without those that cannot be described by themselves either. */
function describeAll(
  templates: readonly Template[],
  lexicon: Lexicon,
  context: RestContext,
  reject: (question: Question, error: unknown) => void,
): { readonly templates: readonly Template[]; readonly endpoints: readonly DescribedEndpoint[] } {
  const describe = (some: readonly Template[]) => describeEndpoints(some, lexicon, context);
  try {
    return { templates, endpoints: describe(templates) };
  } catch (error) {
    if (!context.onBug) throw error;
    const sound = templates.filter((template) => {
      const [{ question }] = template.members;
      try {
        isolateBugs(question, context.onBug, () => describe([template]));
        return true;
      } catch (fault) {
        for (const member of template.members) reject(member.question, fault);
        return false;
      }
    });
    if (sound.length === templates.length) throw error;
    return { templates: sound, endpoints: describe(sound) };
  }
}
