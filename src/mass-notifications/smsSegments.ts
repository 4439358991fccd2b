/** The letters of an SMS in its usual alphabet (3GPP 23.038), and those that take two places. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const EXTENDED = new Set('\f^{}\\[~]|€')
/** Places of one SMS, and of each of several that are shown as one. */
const ROOM = { GSM7: [160, 153], UCS2: [70, 67] } as const

/** An SMS as it is sent. */
export interface SmsSegments {
  readonly alphabet: keyof typeof ROOM
  /** How many SMS it takes. */
  readonly count: number
  /** Places that are taken, and that there are in so many SMS. */
  readonly used: number
  readonly room: number
  /** The first letter that is not in the usual alphabet. */
  readonly strange: string | undefined
}

/** How many SMS a text takes, and in which alphabet: one letter outside the usual one makes all of them shorter. */
export function smsSegments(text: string): SmsSegments {
  const letters = Array.from(text)
  const strange = letters.find((letter) => !BASIC.has(letter) && !EXTENDED.has(letter))
  const alphabet = strange === undefined ? 'GSM7' : 'UCS2'
  const widthOf = (letter: string) => (alphabet === 'UCS2' ? letter.length : EXTENDED.has(letter) ? 2 : 1)
  const used = letters.reduce((sum, letter) => sum + widthOf(letter), 0)
  const [alone, together] = ROOM[alphabet]
  if (used <= alone) return { alphabet, count: 1, used, room: alone, strange }
  let count = 1
  let taken = 0
  for (const letter of letters) {
    const width = widthOf(letter)
    // A letter of two places is not cut in two.
    if (taken + width > together) {
      count += 1
      taken = 0
    }
    taken += width
  }
  return { alphabet, count, used, room: count * together, strange }
}
