import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { openShowcase } from './showcase.ts';

/** `tsx scripts/moving-picture.ts <farm> <file.webp> <runs>`: the console in use, as an animated WebP. */
const [farmFolder, out, runs] = process.argv.slice(2);
if (farmFolder === undefined || out === undefined || runs === undefined)
  throw new Error('usage: tsx scripts/moving-picture.ts <farm> <file.webp> <runs>');

const SIZE = { width: 1120, height: 700 };
const QUALITY = 0.8;
/** How long a picture stays, in milliseconds. */
const [STEP, LOOK] = [300, 1800];

interface Frame {
  readonly webp: Buffer;
  readonly ms: number;
}

const showcase = await openShowcase(farmFolder, runs);
try {
  const page = await showcase.open({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
  const painter = await showcase.open({});
  const frames: Frame[] = [];
  const take = async (ms: number) => {
    const webp = await toWebp(painter, await page.screenshot());
    frames.push({ webp, ms });
  };
  const look = async (view: string) => {
    await showcase.go(page, view);
    await take(LOOK);
  };
  const { farm, domain, endpoint, run, leaderboard, 'leaderboard-sample': sample } = showcase.views;
  await showcase.go(page, '#/');
  await take(LOOK);
  const search = page.getByLabel('Search all endpoints');
  for (const word of (new URLSearchParams(farm?.split('?')[1]).get('q') ?? '').split(' ')) {
    await search.pressSequentially(`${word} `);
    await take(STEP);
  }
  await page.getByText('best matches').waitFor();
  await take(LOOK);
  await look(domain ?? '');
  await look(endpoint ?? '');
  await look(run ?? '');
  await page.evaluate('scrollBy(0, 640)');
  await take(LOOK);
  await look(leaderboard ?? '');
  await look(sample ?? '');
  writeFileSync(out, animatedWebp(frames, SIZE));
} finally {
  await showcase.close();
}

/** A screenshot as the browser encodes it. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const url = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', ${QUALITY});
  })()`);
  return Buffer.from(String(url).split(',')[1] ?? '', 'base64');
}

/** Pictures in one file that repeats for ever: the RIFF container of WebP, with a chunk for each picture. */
function animatedWebp(frames: readonly Frame[], { width, height }: typeof SIZE): Buffer {
  const header = Buffer.alloc(10);
  header[0] = 0b10; // has an animation
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  const pictures = frames.map(({ webp, ms }) => {
    const place = Buffer.alloc(16);
    place.writeUIntLE(width - 1, 6, 3);
    place.writeUIntLE(height - 1, 9, 3);
    place.writeUIntLE(ms, 12, 3);
    // A picture of one frame is its pixels after the twelve bytes of RIFF's head.
    return chunk('ANMF', Buffer.concat([place, pixelsOf(webp)]));
  });
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', header),
    chunk('ANIM', Buffer.alloc(6)),
    ...pictures,
  ]);
  return chunk('RIFF', body);
}

/** The chunk with a picture's pixels: `VP8 ` or `VP8L`. */
function pixelsOf(webp: Buffer): Buffer {
  for (let at = 12; at < webp.length; ) {
    const size = webp.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (webp.toString('latin1', at, at + 3) === 'VP8' && webp[at + 3] !== 0x58) return webp.subarray(at, end);
    at = end;
  }
  throw new Error('the browser did not encode WebP');
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
