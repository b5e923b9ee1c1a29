// The messages of a session: what the last request with a session kept, cut and left out.
import { inPieces, make } from './dom.mjs';
import { callView } from './edits.mjs';
import { dollars, number, plural } from './format.mjs';
import { goneView } from './gone.mjs';
import { rendered } from './markdown.mjs';
import type { GoneData, MessageData, PartData, SessionData } from '../../types.mjs';
import type { Words } from './words.mjs';

const FATES = { kept: 'kept', cut: 'cut', gone: 'gone' };
const FATE_NAMES = Object.keys(FATES) as MessageData['fate'][];
/** Marks of what was cut, as docs/reference/marks.md lists them. */
const MARK = /\[(?:…|palimpsest:)[^\]\n]*\]/g;

/** A text with its marks as elements. */
function withMarks(text: string) {
  const nodes: (Node | string)[] = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    nodes.push(text.slice(from, index), make('mark', { dir: 'ltr' }, mark));
    from = index + mark.length;
  }
  nodes.push(text.slice(from));
  return nodes;
}

/** What a line that is left counts, and what a new run of such lines takes off. */
const LINE = 1_000;
const RUN = 1;

/**
 * Tells which lines of a text are left: as many as possible, in order and in as few runs as possible, so that a `}` which occurs often is taken
 * with its neighbours. Takes a step for each pair of lines; the page shortens long texts.
 *
 * @param after the lines that are left, and others such as marks
 * @returns for each of `lines`
 */
export function linesLeft(lines: string[], after: string[]): boolean[] {
  const [before, left] = [lines, after].map((list) => list.map((line) => line.trim()));
  const width = left.length + 1;
  /** By numbers of lines at the end of both: the most that these count; and the same if the first of both is a pair. */
  const best = new Int32Array((before.length + 1) * width);
  const paired = new Int32Array((before.length + 1) * width);
  for (let index = before.length - 1; index >= 0; index--) {
    for (let place = left.length - 1; place >= 0; place--) {
      const at = index * width + place;
      const next = at + width + 1;
      if (before[index] === left[place]) paired[at] = LINE + Math.max(paired[next], best[next] - RUN);
      best[at] = Math.max(paired[at], best[at + 1], best[at + width]);
    }
  }
  const kept = before.map(() => false);
  let isRun = false;
  for (let index = 0, place = 0; index < before.length && place < left.length; ) {
    const at = index * width + place;
    if (paired[at] > 0 && (isRun ? paired[at] >= best[at] - RUN : paired[at] === best[at])) {
      kept[index++] = true;
      place++;
      isRun = true;
    } else {
      if (best[at] === best[at + width]) index++;
      else place++;
      isRun = false;
    }
  }
  return kept;
}

/** The lines of a text; those that `after` lacks are shown as cut. Neighbours of one kind share an element. */
function withCuts(text: string, after: string) {
  const lines = text.split('\n');
  const kept = linesLeft(lines, after.split('\n'));
  const runs: { isCut: boolean; lines: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const isCut = !kept[index];
    const last = runs.at(-1);
    if (last?.isCut === isCut) last.lines.push(line);
    else runs.push({ isCut, lines: [line] });
  }
  return runs.map(({ isCut, lines: run }, index) => {
    const joined = run.join('\n') + (index < runs.length - 1 ? '\n' : '');
    return isCut ? make('del', {}, joined) : joined;
  });
}

/** Between the start and the end of a text that the page shortens. */
const LEFT_OUT = '\n…\n';

/** Lines and characters of a result that is shown without being asked for. */
const FEW_LINES = 8;
const FEW_CHARS = 600;

/** The first words of a text. */
const opening = (text: string) => {
  const line = text.trimStart().split('\n', 1)[0];
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
};

/** What a part says, and whether it is folded. */
function contentOf({ text, label, tool }: PartData, after: string | undefined): { title?: string; isFolded: boolean; elements: Node[] } {
  if (after !== undefined) return { title: label, isFolded: false, elements: [make('pre', { dir: 'auto' }, ...withCuts(text, after))] };
  if (label === 'text') return { isFolded: false, elements: [rendered(text)] };
  if (label === 'thinking') return { title: `thinking: ${opening(text)}`, isFolded: true, elements: [rendered(text)] };
  if (label === 'call') {
    const { isEdit, about, elements } = callView(text);
    return { title: [tool ?? 'call', opening(about)].filter(Boolean).join(': '), isFolded: !isEdit, elements };
  }
  const lines = text.split('\n').length;
  const isFolded = lines > FEW_LINES || text.length > FEW_CHARS;
  return {
    title: isFolded ? `${label}, ${plural(lines, 'line')}: ${opening(text)}` : label,
    isFolded,
    elements: [make('pre', { dir: 'auto' }, text)],
  };
}

function part(one: PartData, after: string | undefined, isRedacted: boolean, isOpen: boolean) {
  const { chars, label } = one;
  const note = chars === undefined ? '' : ` · ${isRedacted ? '' : 'shortened here from '}${plural(chars, 'character')}`;
  if (isRedacted) return make('div.part', {}, make('p.label', {}, `${label}${note}`));
  // Lines of shortened texts can't be compared.
  const isCompared = after !== undefined && chars === undefined && !after.includes(LEFT_OUT);
  const { title, isFolded, elements } = contentOf(one, isCompared ? after : undefined);
  const words = [make('bdi', {}, title ?? label), note];
  if (title === undefined) return make('div.part', {}, note ? make('p.label', {}, words) : null, ...elements);
  return make(`details.part.${label}`, { open: !isFolded || isOpen }, make('summary.label', {}, words), ...elements);
}

/** A message, and its index in the session. */
interface Shown {
  message: MessageData;
  index: number;
}

export function conversation(
  session: SessionData,
  limit: number,
  isRedacted: boolean,
  words: Words,
): { elements: Node[]; show: (index: number) => void } {
  const { messages: all, count } = session;
  if (!all) {
    const why = `The ${plural(count.messages, 'message')} of this session are not in the page, to keep it small. ${words.missing}`;
    return { elements: [make('p.note', {}, why)], show: () => {} };
  }
  const messages = all;
  const state = { view: 'before', words: '', at: -1, fates: new Set(FATE_NAMES), explained: new Set<number>() };
  const box = make('div');
  const status = make('p.note', { role: 'status' });
  let reach: (index: number) => HTMLElement | undefined = () => undefined;
  let shown: Shown[] = [];

  function draw({ message, index }: Shown) {
    const { role, tool, file, tokens, cost, fate, parts, after, kind, compacted, gone } = message;
    const isAfter = state.view === 'after';
    const fateText = compacted ? `${FATES[fate]}, compacted by the agent` : FATES[fate];
    const explanation = gone && explained(gone, index, `${fateText}: why?`, fate);
    const head = make(
      'header',
      {},
      make('span.role', {}, role),
      tool ? make('code', {}, make('bdi', {}, tool)) : null,
      file ? make('bdi.file', {}, file) : null,
      make('span.spring'),
      make('span.kind', {}, kind),
      make('span.tokens', {}, plural(tokens, 'token'), cost === undefined ? '' : ` · ${dollars(cost)}`),
      explanation?.button ?? make(`span.fate.${fate}`, {}, fateText),
    );
    let body: Node[];
    if (isAfter && fate === 'gone') body = [];
    else if (isAfter && fate === 'cut' && after !== undefined) body = [make('pre', { dir: 'auto' }, ...withMarks(after))];
    else body = parts.map((one) => part(one, fate === 'cut' ? after : undefined, isRedacted, state.words !== ''));
    return make(
      `li.message.${fate}${explanation ? '.explained' : ''}`,
      { id: `message-${index}`, tabindex: '-1', ...(explanation && { onclick: explanation.onclick }) },
      make('span.index', {}, `#${index}`),
      head,
      explanation?.place,
      ...body,
    );
  }

  /** A button that shows and hides why something is missing, as a click on what was cut does. */
  function explained(gone: GoneData, index: number, title: string, fate: MessageData['fate']) {
    const place = make('div', { id: `why-${index}` });
    const button = make(
      `button.fate.${fate}`,
      { type: 'button', 'aria-controls': place.id, 'aria-expanded': 'false', onclick: () => turn(!state.explained.has(index)) },
      title,
    );
    const turn = (isOpen: boolean) => {
      if (isOpen) state.explained.add(index);
      else state.explained.delete(index);
      button.setAttribute('aria-expanded', String(isOpen));
      place.replaceChildren(...(isOpen ? [goneView(gone, index, session, { limit, isRedacted })] : []));
    };
    if (state.explained.has(index)) turn(true);
    const onclick = ({ target }: MouseEvent) => {
      const cut = (target as Element).closest('del, mark');
      if (cut === null || place.contains(cut) || cut.closest('.diff') !== null) return;
      turn(true);
      place.scrollIntoView({ block: 'nearest' });
    };
    return { place, button, onclick };
  }

  function update() {
    const wanted = state.words.toLowerCase();
    shown = messages
      .map((message, index) => ({ message, index }))
      .filter(({ message }) => {
        if (!state.fates.has(message.fate)) return false;
        if (wanted === '') return true;
        const text = [message.tool ?? '', message.file ?? '', message.after ?? '', ...message.parts.map((one) => one.text)].join('\n');
        return text.toLowerCase().includes(wanted);
      });
    reach = inPieces(box, 'ol.messages', shown, draw);
    status.textContent = shown.length === messages.length ? '' : `${number(shown.length)} of ${plural(messages.length, 'message')}`;
  }

  const counts = Object.fromEntries(FATE_NAMES.map((fate) => [fate, messages.filter((one) => one.fate === fate).length]));
  const boxes = FATE_NAMES.map((fate) => {
    const box = make('input', {
      type: 'checkbox',
      checked: true,
      onchange: () => {
        if (box.checked) state.fates.add(fate);
        else state.fates.delete(fate);
        update();
      },
    });
    return { fate, box, label: make(`label.fate.${fate}`, {}, box, ` ${FATES[fate]} ${number(counts[fate])}`) };
  });
  const views = ['before', 'after'].map((view) => {
    const radio = make('input', {
      type: 'radio',
      name: 'view',
      value: view,
      checked: view === state.view,
      onchange: () => {
        state.view = view;
        update();
      },
    });
    return make('label', {}, radio, view === 'before' ? ' as it was' : ' as palimpsest sends it');
  });
  const search = make('input', {
    type: 'search',
    placeholder: 'Search the messages',
    'aria-label': 'Search the messages',
    oninput: () => {
      state.words = search.value;
      update();
    },
  });
  update();

  /** Goes to the next message at which something else begins to be cut or gone, or back to the first. */
  function nextCut() {
    const cuts = [...messages.keys()].filter(
      (index) => messages[index].fate !== 'kept' && messages[index].fate !== messages[index - 1]?.fate,
    );
    show(cuts.find((index) => index > state.at) ?? cuts[0]);
  }

  function show(index: number) {
    state.at = index;
    if (!shown.some((one) => one.index === index)) {
      state.words = search.value = '';
      for (const { fate, box } of boxes) {
        box.checked = true;
        state.fates.add(fate);
      }
      update();
    }
    const element = reach(shown.findIndex((one) => one.index === index));
    for (const folded of element?.querySelectorAll('details') ?? []) folded.open = true;
    element?.scrollIntoView({ block: 'start' });
    element?.focus({ preventScroll: true });
  }

  return {
    elements: [
      make(
        'div.tools.sticky',
        {},
        search,
        messages.some(({ fate }) => fate !== 'kept') ? make('button.more', { type: 'button', onclick: nextCut }, 'Next cut') : null,
        make('fieldset', {}, make('legend', {}, 'Shown'), ...boxes.map(({ label }) => label)),
        make('fieldset', {}, make('legend', {}, 'Text'), ...views),
      ),
      status,
      box,
    ],
    show,
  };
}
