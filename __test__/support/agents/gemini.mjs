// POST /v1beta/models/NAME:generateContent, :streamGenerateContent?alt=sse and :countTokens, whatever the version
import { geminiRefusal } from '../providers/gemini.mjs';
import { refuse } from '../providers/refusal.mjs';
import { readCount, readFields, readToolNames } from './errors.mjs';
import { PrefixCache } from './prefix-cache.mjs';
import { split } from './sse.mjs';
import { countText, piece } from './tokens.mjs';

const PATH = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;
const fields = new Set(
  'contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent labels model serviceTier store'.split(' '),
);
const partFields = new Set(
  (
    'text thought thoughtSignature functionCall functionResponse inlineData fileData executableCode codeExecutionResult videoMetadata ' +
    'partMetadata mediaResolution mediaProcessing toolCall toolResponse audioTranscription speechMetadata'
  ).split(' '),
);
/** Signatures that stand for none: the calls of another model. */
const SKIPPED = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];
const skipped = new Set(SKIPPED.flatMap((value) => [value, Buffer.from(value).toString('base64')]));
const unknown = (key, where = '') => `Invalid JSON payload received. Unknown name "${key}"${where}: Cannot find field.`;

function readPart(part, role) {
  const { text, functionCall: call, functionResponse: response, thought, thoughtSignature: signature, ...media } = part;
  const head = [role, thought === true, signature, call?.id, response?.id, media];
  if (call) return piece([...head, 'call'], `${call.name} ${JSON.stringify(call.args ?? {})}`);
  if (response) return piece([...head, 'response'], `${response.name} ${JSON.stringify(response.response)}`);
  return piece(head, text ?? '', media.inlineData || media.fileData ? 1 : 0);
}

export class GeminiProvider {
  name = 'gemini';
  #cache;
  #signatures = new Set();

  constructor({ cache }) {
    this.#cache = new PrefixCache(cache.gemini);
  }

  static matches = (path) => PATH.test(path);

  open(sent, { path }) {
    const [, model, method] = PATH.exec(path);
    const counts = method === 'countTokens';
    const body = counts ? (sent.generateContentRequest ?? sent) : sent;
    const calling = body.toolConfig?.functionCallingConfig;
    return {
      body,
      model,
      stream: method === 'streamGenerateContent',
      counts,
      thinks: body.generationConfig?.thinkingConfig !== undefined,
      forced: calling?.mode === 'ANY' && calling.allowedFunctionNames?.length === 1 ? calling.allowedFunctionNames[0] : undefined,
    };
  }

  check(request) {
    const { body } = request;
    readFields(body, fields, (key) => unknown(key));
    const problem = geminiRefusal(body.contents);
    if (problem !== null) refuse(problem);
    body.contents.forEach(({ parts, ...rest }, i) => {
      for (const key of Object.keys(rest)) if (key !== 'role') refuse(unknown(key, ` at 'contents[${i}]'`));
      parts.forEach((part, j) => {
        readFields(part, partFields, (key) => unknown(key, ` at 'contents[${i}].parts[${j}]'`));
        const { thoughtSignature: signature } = part;
        if (signature !== undefined && !this.#signatures.has(signature) && !skipped.has(signature))
          refuse('Thought signature is not valid.');
      });
    });
    const { maxOutputTokens: most } = body.generationConfig ?? {};
    if (most !== undefined) readCount(most, 1, 'generation_config.max_output_tokens');
    if (body.cachedContent !== undefined) refuse('CachedContent not found (or permission denied)');
    const declared = (body.tools ?? []).flatMap(({ functionDeclarations }) => functionDeclarations ?? []);
    request.tools = readToolNames(declared, ({ name }) => name ?? '', 'tools[0].function_declarations');
    for (const name of body.toolConfig?.functionCallingConfig?.allowedFunctionNames ?? [])
      if (!request.tools.has(name)) refuse(`allowed_function_names contains a function that is not declared: ${name}`);
    request.pieces = [
      ...declared.map((tool) => piece('tool', JSON.stringify(tool))),
      ...(body.systemInstruction?.parts ?? []).map((part) => readPart(part, 'system')),
      ...body.contents.flatMap(({ role = 'user', parts }) => parts.map((part) => readPart(part, role))),
    ];
    request.maxTokens = most ?? 0;
  }

  tooLong = ({ tokens, window }) => refuse(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`);

  use = ({ model, pieces }, now) => this.#cache.use(model, pieces, now);

  answer(request, { thinking, text, calls, stop, content: given = [] }, id, { tokens, cached }) {
    const parts = [...given];
    for (const { thoughtSignature } of given) if (thoughtSignature !== undefined) this.#signatures.add(thoughtSignature);
    if (thinking && request.body.generationConfig.thinkingConfig.includeThoughts) parts.push({ text: thinking, thought: true });
    if (text) parts.push({ text });
    calls.forEach(({ name, input }, i) => {
      parts.push({ functionCall: { id: `call_${id}_${i}`, name, args: input }, ...(i === 0 && thinking && this.#sign(id)) });
    });
    const thoughts = thinking ? countText(thinking) : 0;
    const produced = countText([text, ...calls.map((call) => JSON.stringify(call))].filter(Boolean).join('\n'));
    const reasons = { max_tokens: 'MAX_TOKENS', refusal: 'SAFETY' };
    return {
      candidates: [{ content: { parts, role: 'model' }, finishReason: reasons[stop] ?? 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: tokens,
        ...(cached > 0 && { cachedContentTokenCount: cached }),
        candidatesTokenCount: produced,
        ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
        totalTokenCount: tokens + produced + thoughts,
      },
      modelVersion: request.model,
      responseId: id,
    };
  }

  #sign(id) {
    const thoughtSignature = Buffer.from(`signed ${id}`).toString('base64');
    this.#signatures.add(thoughtSignature);
    return { thoughtSignature };
  }

  count = (tokens) => ({ totalTokens: tokens });

  outputOf = ({ usageMetadata: { candidatesTokenCount, thoughtsTokenCount = 0 } }) => candidatesTokenCount + thoughtsTokenCount;

  /** Texts in pieces, all calls at once; usage in each chunk, the reason in the last. */
  *events({ candidates: [{ content, finishReason }], ...rest }) {
    const chunks = content.parts.flatMap((part) => (part.text === undefined ? [] : split(part.text).map((text) => [{ ...part, text }])));
    const others = content.parts.filter(({ text }) => text === undefined);
    if (others.length > 0) chunks.push(others);
    for (const [i, parts] of chunks.entries()) {
      const end = i === chunks.length - 1 && { finishReason };
      yield { data: { candidates: [{ content: { parts, role: 'model' }, ...end, index: 0 }], ...rest } };
    }
  }

  error(status, { message }) {
    const names = { 400: 'INVALID_ARGUMENT', 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED', 500: 'INTERNAL', 503: 'UNAVAILABLE' };
    return { error: { code: status, message, status: names[status] ?? 'UNKNOWN' } };
  }
}
