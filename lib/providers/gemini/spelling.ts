// Members of contents: the SDK spells them in camel case, and the REST API takes them in snake case, too.
import type { Fields } from '../shared/shapes.js';

const SNAKE = {
  functionCall: 'function_call',
  functionResponse: 'function_response',
  inlineData: 'inline_data',
  fileData: 'file_data',
  executableCode: 'executable_code',
  codeExecutionResult: 'code_execution_result',
  toolCall: 'tool_call',
  toolResponse: 'tool_response',
  audioTranscription: 'audio_transcription',
  videoMetadata: 'video_metadata',
  thoughtSignature: 'thought_signature',
  mediaResolution: 'media_resolution',
  partMetadata: 'part_metadata',
};

type Name = keyof typeof SNAKE;

/** Both spellings of some members. */
export const bothOf = (...names: Name[]): string[] => names.flatMap((name) => [name, SNAKE[name]]);

/** The name by which an object has a member. */
export const spelled = (object: Fields, name: Name) =>
  object[name] === undefined && object[SNAKE[name]] !== undefined ? SNAKE[name] : name;

/** The member of an object, however it is spelled. */
export const memberOf = (object: Fields | null | undefined, name: Name) => object?.[name] ?? object?.[SNAKE[name]];
