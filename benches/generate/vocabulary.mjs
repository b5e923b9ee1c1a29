// Words and names. Real text is not repetitive, and an engine that counts distinct names would be flattered by a text
// that is: so a few lists are combined to tens of thousands of words.
import { Random } from './random.mjs';

const words = (text) => text.trim().split(/\s+/);

const common = words(`the of and to a in is it you that he was for on are with as his they be at one have this from or had
by but some what there we can out other were all your when up use word how said an each she which their if will way about many
then them would write like so these her long make thing see him two has look more day could go come did my no most who over
know than call people may down side been now find any new work part take get place made live after back little only
round man year came show every good me give our under name very through just form much great think say help low line before
turn cause same mean differ move right boy old too does tell three want air well also play small end put home read hand
port large spell add even land here must big high such follow act why ask men change went light kind off need house picture
try us again animal point mother world near build self earth father head stand own page should country found answer school`);

// Without words that SQL has as well: a few of them together make a text SQL.
const roots = words(`act add agent alarm align alloc amount anchor answer apply arch arg array asset assign async attach audit
auth author badge balance bank batch beam bind bit block board body book border bound branch bridge brief broker buffer build
bundle button cache call cancel canvas capture card case catalog chain channel chapter charge chart check chunk circle claim
class client clock cluster code collect color column command comment commit compare compile compute concern connect consent
console consume contain content context contract control convert copy count course cover craft create credit crop current
cycle data date debug decide declare decode defect defer define degree delay deliver demand depend deploy derive design
detail detect device digest direct discover disk dispatch display divide document domain door draft draw drift drive drop dual
edge edit effect element emit employ enable encode engine enter entry equal error escape estimate event exact examine except
exchange execute exist expect expert export extend extract fact factor fail family feature fetch field figure file filter final
find finish fix flag flow focus fold force form format forward frame front function garden gate gather general glass goal grade
grain graph ground group guard guide handle harbor hash head health heat hidden history hold hook host house icon idea
identify image impact import improve index inform inner input insert inspect install instance intend inter invoice issue item
iterate job journal judge jump kernel key kind label lake language launch layer layout lead leaf learn ledger legal lens
letter level library light link list load local lock log logic loop machine mail main manage manual map mark market mask
master match measure media member memory menu message meter method metric migrate mirror mode model modify module monitor
mount move native network node normal note notice number object observe offer office open operate option orbit order
origin outer output owner pack page paint pair panel paper parent parse part partner pass patch path pattern pause payment peer
period permit person phase photo pilot pipe pivot place plan plant platform player plugin point policy pool portal position post
power prefer prepare present press price print process product profile program project promise prompt proof proper protect
provide proxy publish pull push quality query queue quick quote random range rate reach react read reason recall receive record
recover reduce refer reflect refresh region register relate release remote remove render repair repeat replace reply report
request reserve reset resolve resource respond rest result retry return reveal review revise ring river road role roll room
root route rule runtime safe sample save scale scan scene schedule scope score screen script search season section seed segment
send sense sequence serial server service session shape share shell shift ship signal silver simple single sketch slice slot
socket solid solve sort source space span spark speak split spring stack staff stage stamp state station status step stock stop
storage store stream string strong structure style subject submit suggest summary supply support surface switch symbol sync
system table tag target task team temper tenant test text theme thread ticket tile time token tool topic total touch tower trace
track trade traffic train transform transit travel tree trend trial trust tunnel type unit update upload user valid value vector
verify version video view visit voice volume wait walk warehouse watch water weave weight window winter wire wonder worker wrap
yield zone`);

const prefixes = words('re un pre over under inter sub multi non out mis counter co de super trans micro auto semi fore');
const suffixes = words(`s ed ing er ers ion ions able ment ments ness ly al ive ity ful less ant ance or ors ist ized izing
ization ship hood ward like wise`);
const onsets = words('b br c ch d dr f fr g gr h j k kl l m n p pr r s sh st t tr v w z');
const vowels = words('a e i o u ai ea ie oa ou');
const codas = words('l m n r s t nd rt ck lm ng rn sk th x');

function shuffled(list, random) {
  for (let last = list.length - 1; last > 0; last--) {
    const other = random.between(0, last);
    [list[last], list[other]] = [list[other], list[last]];
  }
  return list;
}

const random = new Random(20_240_229);
const inflected = roots.flatMap((root) => suffixes.map((suffix) => root.replace(/e$/, '') + suffix));
const derived = prefixes.flatMap((prefix) => roots.map((root) => prefix + root));

/** Plain English-like words, common ones first. */
export const vocabulary = [...common, ...shuffled([...roots], random), ...shuffled([...inflected, ...derived], random)];

/** Names of people, places and products. */
export const names = Array.from({ length: 3_000 }, () => {
  const syllables = random.join(random.between(1, 3), '', () => random.pick(onsets) + random.pick(vowels));
  const name = syllables + random.pick(codas);
  return name[0].toUpperCase() + name.slice(1);
});

export const capital = (word) => word[0].toUpperCase() + word.slice(1);

const nouns = shuffled([...roots], random);
const noun = () => random.pickRanked(nouns);
const abbreviations = words('ctx cfg src msg ptr fmt cmd str tmp pkg btn http sql html css xml tcp ssh grpc rpc pwd dns');
const extensions = words('ts tsx js mjs rs go py json md yaml toml css html sh sql txt lock');
const folders = words('src lib app packages internal cmd pkg test docs scripts components services api core utils config');

/** A project names most of its things again and again, and some only once: names are drawn by rank from a pool. */
const pool = (make) => {
  const list = Array.from({ length: 1_500 }, make);
  return (random) => random.pickRanked(list);
};

export const camel = pool(() => noun() + random.join(random.between(1, 2), '', () => capital(noun())));
export const pascal = pool(() => random.join(random.between(2, 3), '', () => capital(noun())));
export const snake = pool(() => random.join(random.between(2, 3), '_', noun));

/** A method of something, as it is called. */
export const method = pool(() => `${noun()}.${camel(random)}`);

/** A file path of a project. */
export const path = pool(() => {
  const middle = random.join(random.between(1, 3), '/', noun);
  const file = random.join(random.between(1, 2), random.pick(['_', '-']), noun);
  return `${random.pick(folders)}/${middle}/${file}.${random.pickRanked(extensions)}`;
});

/** A name as source code has it: mostly plain words and locals, then compounds. */
export function identifier(random) {
  const kind = random.next();
  if (kind < 0.5) return random.pickRanked(nouns);
  if (kind < 0.65) return random.pick(abbreviations);
  if (kind < 0.8) return camel(random);
  return kind < 0.9 ? snake(random) : pascal(random);
}

export const HEX = '0123456789abcdef';
export const hash = (random, length) => random.letters(length, HEX);
export const uuid = (random) => [8, 4, 4, 4, 12].map((length) => hash(random, length)).join('-');
export const version = (random) => `${random.between(0, 9)}.${random.between(0, 40)}.${random.between(0, 12)}`;
const two = (number) => String(number).padStart(2, '0');
export const clock = (random) => [23, 59, 59].map((high) => two(random.between(0, high))).join(':');
export const date = (random) => `2025-${two(random.between(1, 12))}-${two(random.between(1, 28))}`;
