// The server's refusals in Chinese. The server words them in English; each row is a pattern and its translations,
// with `{0}`, `{1}` … for the parts, which are translated in turn.

import type { Language } from "../settings.svelte";

type Row = [english: RegExp, hant: string, hans: string];

const ROWS: Row[] = [
  [/^bad FEN: (.*)$/, "FEN 有誤：{0}", "FEN 有误：{0}"],
  [/^bad start position: (.*)$/, "起始局面有誤：{0}", "起始局面有误：{0}"],
  [/^the FEN is empty$/, "FEN 是空的", "FEN 是空的"],
  [/^expected 10 ranks separated by '\/', found (.*)$/, "應有 10 行並以「/」分隔，現有 {0} 行", "应有 10 行并以“/”分隔，现有 {0} 行"],
  [/^rank (\d+) \('(.*)'\) covers (\d+) files instead of 9$/, "第 {0} 行「{1}」有 {2} 路，應為 9 路", "第 {0} 行“{1}”有 {2} 路，应为 9 路"],
  [/^'(.*)' is not a piece letter$/, "「{0}」不是棋子的字母", "“{0}”不是棋子的字母"],
  [/^'(.*)' is not a side to move.*$/, "「{0}」不是行棋方：紅方用 w 或 r，黑方用 b", "“{0}”不是行棋方：红方用 w 或 r，黑方用 b"],
  [/^unexpected '(.*)' after the round number$/, "回合數之後多出「{0}」", "回合数之后多出“{0}”"],
  [/^(Red|Black) has no general$/, "{0}沒有將帥", "{0}没有将帅"],
  [/^(Red|Black) has (\d+) (\w+)s; there are at most (\d+)$/, "{0}的{2}有 {1} 個，最多 {3} 個", "{0}的{2}有 {1} 个，最多 {3} 个"],
  [/^a ((?:red|black) \w+) cannot stand on (\w\d): .*$/, "{0}不能在 {1}", "{0}不能在 {1}"],
  [/^the generals face each other on file (\w)$/, "將帥在 {0} 路上照面", "将帅在 {0} 路上照面"],
  [/^(Red|Black) is in check although it is not its move$/, "未輪到{0}行棋，{0}卻被將軍", "未轮到{0}行棋，{0}却被将军"],
  [/^a ((?:red|black) \w+) cannot have reached (\w\d)$/, "{0}不可能走到 {1}", "{0}不可能走到 {1}"],
  [/^ply (\d+): (\w+) is illegal: (.*)$/, "第 {0} 著 {1} 不合規則：{2}", "第 {0} 着 {1} 不合规则：{2}"],
  [/^no piece of (Red|Black) stands on (\w\d)$/, "{1} 上沒有{0}的棋子", "{1} 上没有{0}的棋子"],
  [/^an own piece stands on (\w\d)$/, "{0} 上是自己的棋子", "{0} 上是自己的棋子"],
  [/^a ((?:red|black) \w+) does not move from (\w\d) to (\w\d) there$/, "{0}不能從 {1} 走到 {2}", "{0}不能从 {1} 走到 {2}"],
  [/^it leaves (Red|Black)'s general attacked$/, "走後{0}的將帥仍被攻擊", "走后{0}的将帅仍被攻击"],
  [/^'(.*)' is not a move.*$/, "「{0}」不是著法", "“{0}”不是着法"],
  [/^'(.*)' is not legal here$/, "「{0}」在此不合規則", "“{0}”在此不合规则"],
  [/^'(.*)' is ambiguous: it may be (.*) or (.*)$/, "「{0}」不明確：可能是 {1} 或 {2}", "“{0}”不明确：可能是 {1} 或 {2}"],
  [/^'(.*)' is not understood$/, "看不懂「{0}」", "看不懂“{0}”"],
  [/^game (\d+), ([^:]*): (.*)$/, "第 {0} 局（{1}）：{2}", "第 {0} 局（{1}）：{2}"],
  [/^game (\d+): (.*)$/, "第 {0} 局：{1}", "第 {0} 局：{1}"],
  [/^there is no game in this text$/, "這段文字裡沒有棋局", "这段文字里没有棋局"],
  [/^there is no game (\d+) in the file$/, "檔案裡沒有第 {0} 局", "文件里没有第 {0} 局"],
  [/^there is neither a move nor a position in this text$/, "這段文字裡沒有著法，也沒有局面", "这段文字里没有着法，也没有局面"],
  [/^(\d+) moves are more than (?:the )?(\d+).*$/, "{0} 著太多，最多 {1} 著", "{0} 着太多，最多 {1} 着"],
  [/^the variations are too deep$/, "變化太深", "变化太深"],
  [/^this server builds no tables$/, "此伺服器不建立殘局庫", "此服务器不建立残局库"],
  [/^this server has no folder for tables$/, "此伺服器沒有殘局庫的資料夾", "此服务器没有残局库的文件夹"],
  [/^(\S+) is always drawn: neither side can give check$/, "{0} 必和：雙方都無法將軍", "{0} 必和：双方都无法将军"],
  [/^(\S+) takes (\d+) MB of memory to build; this server allows (\d+)$/, "建立 {0} 需要 {1} MB 記憶體，此伺服器只允許 {2} MB", "建立 {0} 需要 {1} MB 内存，此服务器只允许 {2} MB"],
  [/^(\S+) is being built; one table is built at a time$/, "正在建立 {0}，一次只能建立一個", "正在建立 {0}，一次只能建立一个"],
  [/^there is no table for (\S+)$/, "沒有 {0} 的殘局庫", "没有 {0} 的残局库"],
  [/^there is no engine of that name$/, "沒有這個引擎", "没有这个引擎"],
  [/^the game is over$/, "棋局已經結束", "棋局已经结束"],
  [/^this server has as many (?:visitors|connections) as it allows$/, "伺服器的訪客已滿，請稍後再試", "服务器的访客已满，请稍后再试"],
  [/^your address has as many (?:visitors|connections) as this server allows one$/, "您的網址連線過多，請關閉一些分頁再試", "您的网址连接过多，请关闭一些标签页再试"],
  [/^too many requests from your address; wait a moment$/, "請求過於頻繁，請稍候", "请求过于频繁，请稍候"],
  [/^too many wrong tokens from your address; wait a moment$/, "金鑰錯誤次數過多，請稍候", "密钥错误次数过多，请稍候"],
  [/^this is not the token of this server$/, "金鑰不正確", "密钥不正确"],
  [/^this server asks for its token: .*$/, "此伺服器需要金鑰：請以 /?token=… 開啟", "此服务器需要密钥：请以 /?token=… 打开"],
  [/^the request took too long to arrive$/, "請求傳送過慢", "请求传送过慢"],
  [/^this is larger than the server accepts$/, "檔案太大，伺服器不接受", "文件太大，服务器不接受"],
  [/^the search broke down; .*$/, "搜尋發生錯誤，請再試一次或換一個局面", "搜索发生错误，请再试一次或换一个局面"],
  [/^this request broke something in the server; .*$/, "伺服器處理此請求時發生錯誤", "服务器处理此请求时发生错误"],
  [/^the Host or Origin header is doubled$/, "Host 或 Origin 標頭重複", "Host 或 Origin 标头重复"],
  [/^requests from pages of other sites are refused$/, "不接受其他網站的請求", "不接受其他网站的请求"],
  [/^this server is not known by that name$/, "此伺服器不使用這個名稱", "此服务器不使用这个名称"],
  [/^'.*' needs `chuhe serve`$/, "這項功能需要本機程式：請執行 chuhe serve。", "这项功能需要本机程序：请运行 chuhe serve。"],
  [/^the network is not loaded$/, "神經網路尚未載入", "神经网络尚未加载"],
  [/^the puzzles are not loaded$/, "棋題尚未載入", "棋题尚未加载"],
  [/^there is no such request; .*$/, "沒有這種請求", "没有这种请求"],
  [/^this message is not understood: (.*)$/, "看不懂這則訊息：{0}", "看不懂这条消息：{0}"],
  [/^'(.*)' is not a date such as (.*) or (.*)$/, "「{0}」不是日期；例如 {1} 或 {2}", "“{0}”不是日期；例如 {1} 或 {2}"],
  [/^a result is 1-0, 0-1 or 1\/2-1\/2$/, "結果應為 1-0、0-1 或 1/2-1/2", "结果应为 1-0、0-1 或 1/2-1/2"],
  [/^line (\d+)$/, "第 {0} 行", "第 {0} 行"],
  [/^Red$/, "紅方", "红方"],
  [/^Black$/, "黑方", "黑方"],
  [/^red (\w+)$/, "紅方的{0}", "红方的{0}"],
  [/^black (\w+)$/, "黑方的{0}", "黑方的{0}"],
  [/^general$/, "將帥", "将帅"],
  [/^advisor$/, "士", "士"],
  [/^elephant$/, "象", "象"],
  [/^horse$/, "馬", "马"],
  [/^chariot$/, "車", "车"],
  [/^cannon$/, "炮", "炮"],
  [/^soldier$/, "兵卒", "兵卒"],
]; // prettier-ignore

/** A refusal in the visitor's language; unknown ones stay in English. */
export function refusal(message: string, language: Language): string {
  if (language === "en") return message;
  for (const [english, hant, hans] of ROWS) {
    const found = english.exec(message);
    if (!found) continue;
    const text = language === "zh-Hant" ? hant : hans;
    return text.replace(/\{(\d)\}/g, (_, index: string) => refusal(found[Number(index) + 1] ?? "", language));
  }
  return message;
}
