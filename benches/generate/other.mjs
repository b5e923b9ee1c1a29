// Text in which most characters are not ASCII.
import { capital, names, vocabulary } from './vocabulary.mjs';

const chinese =
  '的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴';
const hiragana =
  'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんがぎぐげござじずぜぞだでどばびぶべぼ';
const katakana =
  'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンガギグゲゴザジズゼゾダデドバビブベボー';
const emoji = [...'😀😂🙂😍🤔👍🎉🔥🚀✅❌💡📦🐛⏳☕🌍🍕🎯🙏💥🧪📈📉🗂️', '👩‍💻', '🤷🏽‍♂️', '👨‍👩‍👧', '🇫🇷', '🇯🇵', '1️⃣', '❤️'];

const ideograph = (random) => (random.chance(0.85) ? random.pickRanked(chinese) : String.fromCharCode(random.between(0x4e00, 0x9fa5)));

function eastern(random, length, character) {
  let text = '';
  while (text.length < length) {
    text += random.join(random.between(4, 24), '', () => character(random));
    if (random.chance(0.06)) text += ` ${random.pickRanked(names)} ${random.between(1, 2_025)} `;
    text += random.chance(0.4) ? '，' : random.pick(['。', '。', '？', '！', '。\n']);
  }
  return text;
}

export const chineseText = (random, length) => eastern(random, length, ideograph);

export const japaneseText = (random, length) =>
  eastern(random, length, (random) => {
    const kind = random.next();
    return kind < 0.55 ? random.pick(hiragana) : kind < 0.75 ? random.pick(katakana) : ideograph(random);
  });

/** Chat in which every few words are followed by emoji. */
export function emojiText(random, length) {
  let text = '';
  while (text.length < length) {
    text += capital(random.join(random.between(2, 7), ' ', () => random.pickRanked(vocabulary)));
    text += ` ${random.join(random.between(1, 4), '', () => random.pick(emoji))}${random.pick([' ', '! ', '. ', '\n'])}`;
  }
  return text;
}
