import keywords from 'emojilib/dist/emoji-en-US.json' with { type: 'json' }
import groups from 'unicode-emoji-json/data-by-group.json' with { type: 'json' }

import type { TextKey } from '#providers/i18nProvider.ts'

interface EmojiGroup {
  readonly label: TextKey
  readonly emoji: readonly string[]
}

/** Emoji for crises, as the first group. */
const WORK =
  '✅ ☑️ ❌ ⚠️ 🚨 🔥 🆘 🛑 ⛔ 🚫 🚧 ❗ ❓ ℹ️ 📣 📢 📞 📧 📝 📋 📌 📍 🗺️ ⏰ ⏳ 🔒 🔑 🛡️ 🔧 🧯 🚒 🚑 🚓 🚁 🏥 🩹 👍 👎 🙏 👀'
const LABELS: Readonly<Record<string, TextKey>> = {
  smileys_emotion: 'chatMessages.emojiFaces',
  people_body: 'chatMessages.emojiPeople',
  animals_nature: 'chatMessages.emojiNature',
  food_drink: 'chatMessages.emojiFood',
  travel_places: 'chatMessages.emojiPlaces',
  activities: 'chatMessages.emojiActivities',
  objects: 'chatMessages.emojiObjects',
  symbols: 'chatMessages.emojiSymbols',
  flags: 'chatMessages.emojiFlags',
}

/** False for emoji newer than the browser, which would show them as boxes. */
const isKnown = ({ emoji }: { readonly emoji: string }): boolean => /^\p{RGI_Emoji}$/v.test(emoji)
const KNOWN = groups.flatMap(({ slug, emojis }) => emojis.filter(isKnown).map((one) => ({ ...one, slug })))

export const EMOJI_GROUPS: readonly EmojiGroup[] = [
  { label: 'chatMessages.emojiWork', emoji: WORK.split(' ') },
  ...Object.entries(LABELS).map(([group, label]) => ({
    label,
    emoji: KNOWN.flatMap(({ slug, emoji }) => (slug === group ? emoji : [])),
  })),
]

const NAMES = new Map(KNOWN.map(({ emoji, name }) => [emoji, name]))
/** The name of an emoji, for screen readers and tooltips. */
export const nameOfEmoji = (emoji: string): string => NAMES.get(emoji) ?? ''

const WORDS = new Map(
  KNOWN.map(({ emoji, name }) => {
    const words = [name, ...((keywords as Readonly<Record<string, string[]>>)[emoji] ?? [])]
      .join(' ')
      .toLowerCase()
    return [emoji, words.split(/[\s_:,-]+/)]
  }),
)
const FOUND_MAX = 80
/** Emoji with words that begin with each searched word; exact matches come first. */
export function findEmoji(search: string): string[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = [...WORDS].filter(([, words]) =>
    wanted.every((word) => words.some((one) => one.startsWith(word))),
  )
  const isExact = ([, words]: (typeof found)[number]) => wanted.every((word) => words.includes(word))
  return found
    .toSorted((a, b) => Number(isExact(b)) - Number(isExact(a)))
    .map(([emoji]) => emoji)
    .slice(0, FOUND_MAX)
}
