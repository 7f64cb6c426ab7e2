// Names of the themes of puzzles, by the keys of crates/puzzles: English, traditional, simplified.

const THEMES: Record<string, [string, string, string]> = {
  "iron-bolt": ["Iron bolt 鐵門閂", "鐵門閂", "铁门闩"],
  "double-chariots": ["Two chariots 雙車錯", "雙車錯", "双车错"],
  "trough-horse": ["Trough horse 臥槽馬", "臥槽馬", "卧槽马"],
  "palace-corner-horse": ["Palace-corner horse 掛角馬", "掛角馬", "挂角马"],
  "angler-horse": ["Angler's horse 釣魚馬", "釣魚馬", "钓鱼马"],
  "octagon-horse": ["Octagon horse 八角馬", "八角馬", "八角马"],
  "cannon-behind-horse": ["Cannon behind the horse 馬後炮", "馬後炮", "马后炮"],
  "double-cannon": ["Double cannon 重炮", "重炮", "重炮"],
  "smothered-palace": ["Smothered palace 悶宮", "悶宮", "闷宫"],
  "heaven-earth-cannons": ["Heaven and earth cannons 天地炮", "天地炮", "天地炮"],
  "chariot-and-cannons": ["Chariot between cannons 夾車炮", "夾車炮", "夹车炮"],
  "double-horses": ["Two horses 雙馬飲泉", "雙馬飲泉", "双马饮泉"],
  "two-soldiers": ["Two soldiers at the gate 二鬼拍門", "二鬼拍門", "二鬼拍门"],
  "chariot-and-horse": ["Chariot and horse 車馬冷著", "車馬冷著", "车马冷着"],
  "facing-general": ["Facing general 白臉將", "白臉將", "白脸将"],
  stalemate: ["Stalemate 困斃", "困斃", "困毙"],
  "through-the-heart": ["Through the heart 大膽穿心", "大膽穿心", "大胆穿心"],
  "soldier-escort": ["Soldier's escort 送佛歸殿", "送佛歸殿", "送佛归殿"],
  "double-check": ["Double check 雙將", "雙將", "双将"],
  "discovered-check": ["Discovered check 抽將", "抽將", "抽将"],
  fork: ["Fork 捉雙", "捉雙", "捉双"],
  sacrifice: ["Sacrifice 棄子", "棄子", "弃子"],
  "quiet-move": ["Quiet move 冷著", "冷著", "冷着"],
  defence: ["Defence 解殺", "解殺", "解杀"],
  endgame: ["Endgame 殘局", "殘局", "残局"],
};

const PLACES: Record<string, number> = { en: 0, "zh-Hant": 1, "zh-Hans": 2 };

/** The name of a theme in a language. */
export function themeName(key: string, language: string): string {
  return THEMES[key]?.[PLACES[language] ?? 0] ?? key;
}
