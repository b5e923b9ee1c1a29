// What a provider bills for a request, counted for itself: o200k of each text, and more where its tokenizer makes more of them; images and pages by
// rules of its own; what is encrypted as the text that it stands for.
import { countText, PIECE_TOKENS } from '../agents/tokens.mjs';

/** `text`: tokens for one of o200k. `page`: of a PDF. `image`: of one with so many pixels. */
const RATES = {
  anthropic: { text: 1.4, page: 2250, image: (width, height) => (width * height) / 750 },
  openai: { text: 1, page: 1100, image: (width, height) => 85 + 170 * Math.ceil(width / 512) * Math.ceil(height / 512) },
  gemini: { text: 1.15, page: 258, image: (width, height) => 258 * tiles(width, height) },
};

function tiles(width, height) {
  if (Math.max(width, height) <= 384) return 1;
  const unit = Math.max(256, Math.min(768, Math.floor(Math.min(width, height) / 1.5)));
  return Math.ceil(width / unit) * Math.ceil(height / unit);
}

/** What is no text: names of kinds, ids, signatures. */
const UNSEEN = new Set(
  (
    'type id call_id tool_use_id role status media_type mimeType signature thoughtSignature cache_control caller approval_request_id container_id ' +
    'fingerprint file_id detail is_error citations annotations logprobs format toolType tool_call_id'
  ).split(' '),
);
const ENCRYPTED = new Set(['encrypted_content', 'encrypted_stdout', 'encrypted_index']);
const FILE = /^data:([\w/.+-]+);base64,/;

/** The tokens of a file in base64. */
function ofFile(type, base64, rates) {
  const bytes = Buffer.from(base64, 'base64');
  if (type.startsWith('image/')) return rates.image(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  if (type === 'application/pdf') return rates.page * bytes.toString('latin1').split('/Type /Page ').length - rates.page;
  return rates.text * countText(bytes.toString());
}

function ofString(value, key, rates) {
  if (UNSEEN.has(key)) return 0;
  const file = FILE.exec(value);
  if (file !== null) return ofFile(file[1], value.slice(file[0].length), rates);
  // A token for every four bytes of what is encrypted.
  if (ENCRYPTED.has(key)) return (value.length * 3) / 4 / 4;
  return rates.text * countText(value);
}

function tokensOf(value, key, rates) {
  if (typeof value === 'string') return ofString(value, key, rates);
  if (value === null || typeof value !== 'object') return value === null || typeof value === 'boolean' ? 0 : 1;
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + tokensOf(one, key, rates), 0);
  // A block of Anthropic's or Gemini's that holds a file, and a picture that OpenAI made.
  const type = value.media_type ?? value.mimeType;
  if (typeof value.data === 'string' && typeof type === 'string' && value.type !== 'text') return ofFile(type, value.data, rates);
  if (value.type === 'redacted_thinking') return (value.data.length * 3) / 4 / 4;
  if (value.type === 'image_generation_call' && value.result) return ofFile('image/png', value.result, rates);
  if (value.type === 'input_audio') return (value.input_audio.data.length * 3) / 4 / 800;
  if (value.fileUri !== undefined) return 258;
  const own = value.role !== undefined || value.type !== undefined ? PIECE_TOKENS : 0;
  return Object.entries(value).reduce((sum, [inner, one]) => (UNSEEN.has(inner) ? sum : sum + tokensOf(one, inner, rates)), own);
}

/**
 * Returns the tokens of a request.
 *
 * @param {'anthropic' | 'openai' | 'gemini'} provider
 */
export const billed =
  (provider) =>
  ({ messages, input, contents, system, instructions, systemInstruction, tools = [] }) =>
    Math.ceil(tokensOf([messages, input, contents, system, instructions, systemInstruction].filter(Boolean), '', RATES[provider])) +
    tools.reduce((sum, tool) => sum + (tool.defer_loading ? 0 : Math.ceil(countText(JSON.stringify(tool)) * 0.7)), 0);
