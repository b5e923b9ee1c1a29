// What Anthropic and Gemini add, by their documentation; media of every shape; image headers.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test, { describe } from 'node:test';

import { countTokens } from '../../unbundled/index.js';

const require = createRequire(import.meta.url);
const { imageSize } = require('../../unbundled/tokens/image-size.js');
const { measure, perMessage } = require('../../unbundled/tokens/measure.js');
const { mediaOf, mediaTokens } = require('../../unbundled/tokens/media.js');

const imageOf = (provider) => (width, height) => mediaTokens([{ size: [width, height], isLowDetail: false, isKnown: true }], provider)[0];
const tokensOf = (block, provider) => mediaTokens([mediaOf(block, provider)], provider)[0];

describe('image headers', () => {
  const hex = (text) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
  // Written by hand from the specifications: PNG 11.2.2, GIF89a 18, RFC 9649 (WebP), ITU T.81 B.2.2 (JPEG).
  const files = {
    png: [hex('89504e470d0a1a0a 0000000d 49484452 00000400 00000300 08 06 00 00 00'), [1024, 768]],
    gif: [hex('474946383961 2003 5802 00 00 00'), [800, 600]],
    'webp, lossy': [hex('52494646 00000000 57454250 56503820 00000000 000000 9d012a 8002 e001'), [640, 480]],
    // 14 bits of width - 1 (549), 14 bits of height - 1 (367).
    'webp, lossless': [hex('52494646 00000000 57454250 5650384c 00000000 2f 25c25b00 0000000000'), [550, 368]],
    'webp, extended': [hex('52494646 00000000 57454250 56503858 0a000000 00000000 7f0200 df0100'), [640, 480]],
    jpeg: [hex('ffd8 ffe0 0010 4a46494600010100000100010000 ffff ffc2 0011 08 0258 0320 03 012200 021101 031101'), [800, 600]],
  };
  for (const [name, [bytes, size]] of Object.entries(files)) {
    test(name, () => {
      assert.deepEqual(imageSize(bytes), size);
      assert.deepEqual(imageSize(bytes.toString('base64')), size);
      assert.deepEqual(imageSize(bytes.toString('base64url')), size);
      for (let length = 0; length < bytes.length; length++) {
        const cut = imageSize(bytes.subarray(0, length));
        assert.ok(cut === undefined || cut.join() === size.join(), `${length} bytes`);
      }
    });
  }
  test('a frame far behind the beginning of a JPEG, without decoding what is between', () => {
    const segment = Buffer.concat([hex('ffe1 fffe'), Buffer.alloc(0xfffc)]);
    const file = Buffer.concat([hex('ffd8'), ...Array(50).fill(segment), hex('ffc0 0011 08 0258 0320 03')]);
    assert.deepEqual(imageSize(file.toString('base64')), [800, 600]);
  });
  test('no image, or none of a size', () => {
    for (const text of ['', 'hello', 'AAAA', Buffer.from('%PDF-1.7').toString('base64'), hex('ffd8ff').toString('base64'), '\ud800']) {
      assert.equal(imageSize(text), undefined);
    }
    assert.equal(imageSize(hex('89504e470d0a1a0a 0000000d 49484452 00000000 00000300')), undefined);
  });
});

test('Anthropic: the sizes of the guide to vision', () => {
  const image = imageOf('anthropic');
  // "Calculate image costs": width × height / 750.
  assert.equal(image(200, 200), 54);
  assert.equal(image(1000, 1000), 1334);
  assert.equal(image(1092, 1092), 1590);
  // Scaled down to 1568 pixels, and to about 1600 tokens.
  assert.equal(image(4000, 1000), Math.ceil((1568 * 392) / 750));
  assert.equal(image(8000, 8000), 1600);
});

test('Gemini: the sizes of the guide to images', () => {
  const image = imageOf('gemini');
  assert.equal(image(384, 384), 258);
  assert.equal(image(960, 540), 6 * 258); // the crop unit is 360
  assert.equal(image(768, 768), 4 * 258); // 512
  assert.equal(image(3000, 300), 24 * 258); // 256, at least
  assert.equal(image(3072, 3072), 16 * 258); // 768, at most
});

test('Anthropic: the example of the guide to token counting has 14 tokens', () => {
  // `system` stands beside the messages there.
  const messages = [{ role: 'user', content: 'Hello, Claude' }];
  const parts = [{ message: 0, path: ['content'], role: 'user', kind: 'text', text: 'Hello, Claude' }];
  const measured = measure(messages, parts, 'anthropic', 'o200k_base');
  const system = 3 + countTokens('You are a scientist');
  assert.equal(perMessage(parts, measured)[0] + measured.request + system, 14);
});

test('Gemini: the examples of the guide to tokens have 10 tokens each', () => {
  assert.equal(countTokens('The quick brown fox jumps over the lazy dog.'), 10);
  const messages = [
    { role: 'user', parts: [{ text: 'Hi my name is Bob' }] },
    { role: 'model', parts: [{ text: 'Hi Bob!' }] },
  ];
  const parts = messages.map((content, message) => ({
    message,
    path: ['parts', 0, 'text'],
    role: 'user',
    kind: 'text',
    text: content.parts[0].text,
  }));
  const measured = measure(messages, parts, 'gemini', 'o200k_base');
  assert.equal(
    perMessage(parts, measured).reduce((sum, count) => sum + count, measured.request),
    10,
  );
});

describe('media', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d494844520000040000000400', 'hex'); // 1024 × 1024
  const data = png.toString('base64');
  const url = `data:image/png;base64,${data}`;
  const shapes = {
    'OpenAI chat': { type: 'image_url', image_url: { url } },
    'OpenAI Responses': { type: 'input_image', image_url: url, detail: 'high' },
    'OpenAI file': { type: 'file', file: { file_data: url } },
    Anthropic: { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    Gemini: { inlineData: { mimeType: 'image/png', data } },
    'AI SDK image, base64': { type: 'image', image: data },
    'AI SDK image, bytes': { type: 'image', image: new Uint8Array(png) },
    'AI SDK image, URL': { type: 'image', image: new URL(url) },
    'AI SDK file': { type: 'file', data, mediaType: 'image/png' },
    'AI SDK UI': { type: 'file', url, mediaType: 'image/png' },
    LangChain: { type: 'image', source_type: 'base64', data },
  };
  for (const [name, block] of Object.entries(shapes)) {
    test(name, () => {
      assert.equal(tokensOf(block, 'openai'), 765);
      assert.equal(tokensOf(block, 'anthropic'), Math.ceil((1024 * 1024) / 750));
      assert.equal(tokensOf(block, 'gemini'), 4 * 258);
    });
  }
  test("in a format of many providers, by the rule of the model's", () => {
    const [image, words] = [shapes['AI SDK file'], { type: 'text', text: 'What is it?' }];
    const messages = {
      'ai-sdk-ui': (parts) => ({ id: '1', role: 'user', parts }),
      'ai-sdk-model': (content) => ({ role: 'user', content }),
    };
    for (const [format, messageOf] of Object.entries(messages)) {
      const ofImage = (model) => {
        const count = (...parts) => countTokens([messageOf(parts)], { format, model });
        return count(words, format === 'ai-sdk-ui' ? shapes['AI SDK UI'] : image) - count(words);
      };
      for (const name of ['claude-opus-5', 'anthropic/claude-opus-4.5', 'bedrock/us.anthropic.claude-opus-5-v1:0'])
        assert.equal(ofImage(name), Math.ceil((1024 * 1024) / 750), `${format}, ${name}`);
      for (const name of ['gemini-2.5-flash', 'openrouter/google/gemini-2.5-flash'])
        assert.equal(ofImage(name), 4 * 258, `${format}, ${name}`);
      assert.equal(ofImage('gpt-5.5'), 765, format);
      assert.equal(ofImage(undefined), 765, format);
    }
  });
  test('low detail', () => {
    assert.equal(tokensOf({ type: 'image_url', image_url: { url, detail: 'low' } }, 'openai'), 85);
    assert.equal(tokensOf({ type: 'input_image', image_url: 'https://example.org/a.png', detail: 'low' }, 'openai'), 85);
  });
  test('media that are only referred to, or of no known kind', () => {
    const blocks = [
      { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
      { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
      { fileData: { fileUri: 'gs://bucket/a.png' } },
      { type: 'image' },
      {},
      undefined,
      null,
      'text',
    ];
    const of = (block) => ['openai', 'anthropic', 'gemini'].map((provider) => tokensOf(block, provider));
    for (const block of blocks) assert.deepEqual(of(block), [765, 1600, 258]);
    // A document is a page at least.
    for (const block of [
      { type: 'input_file', file_id: 'x' },
      { type: 'document', source: { type: 'base64', data: 'JVBERi0xLjc=' } },
    ])
      assert.deepEqual(of(block), [1500, 3000, 258]);
  });
  test('a document of text is its text', () => {
    assert.equal(
      mediaOf({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hello world' } }, 'anthropic'),
      'hello world',
    );
  });
});

test('unknown and encrypted content counts by its length', () => {
  const cyclic = {};
  cyclic.self = cyclic;
  const messages = [{ role: 'assistant', content: [{ type: 'odd', data: 'x'.repeat(100) }] }, cyclic];
  const parts = [
    { message: 0, path: ['content', 0], role: 'assistant', kind: 'opaque', text: '' },
    { message: 1, path: [], role: 'user', kind: 'opaque', text: '' },
  ];
  const { parts: counts } = measure(messages, parts, 'anthropic', 'o200k_base');
  assert.deepEqual([...counts], [Math.ceil(JSON.stringify(messages[0].content[0]).length / 3.5), 0]);
});

test('nothing is nothing but what every request has', () => {
  assert.deepEqual(
    ['openai', 'anthropic', 'gemini'].map((provider) => measure([], [], provider, 'o200k_base').request),
    [3, 1, 0],
  );
});
