import type { TextKey } from '#providers/i18nProvider.ts'

/** A group of emoji in order, each with its search words. */
export interface EmojiGroup {
  readonly label: TextKey
  readonly emoji: readonly (readonly [emoji: string, words: string])[]
}

/** Parses lines such as `👍 thumbs up yes agree`. */
const read = (lines: string): EmojiGroup['emoji'] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [emoji = '', ...words] = line.trim().split(' ')
      return [emoji, words.join(' ')]
    })

/** Common emoji and those for crises; the system's keyboard offers the others. */
export const EMOJI_GROUPS: readonly EmojiGroup[] = [
  {
    label: 'chatMessages.emojiGestures',
    emoji: read(`
      👍 thumbs up yes agree good
      👎 thumbs down no disagree bad
      👌 ok hand perfect
      🙏 thank you thanks please pray
      👏 clapping applause well done
      🙌 raising hands celebrate
      👋 wave hello goodbye
      ✋ raised hand stop
      🤚 back of hand
      🙋 raising hand question volunteer
      🤝 handshake agreement deal
      💪 strong muscle strength
      👊 fist
      ✊ raised fist
      🤞 crossed fingers luck hope
      ✌️ victory peace
      🫡 salute understood
      👉 pointing right
      👈 pointing left
      👆 pointing up above
      👇 pointing down below
      ☝️ index up attention
      👀 eyes looking watching
      🧠 brain mind
      🫶 heart hands
      🤷 shrug do not know
      🤦 facepalm
      🙅 no gesture refuse
      🙆 ok gesture
      👷 construction worker
      👮 police officer
      🧑‍🚒 firefighter
      🧑‍⚕️ doctor nurse medic health
      🧑‍💻 technologist developer computer
      🧑‍🔧 mechanic engineer
      🧑‍⚖️ judge legal lawyer
      🕵️ detective investigate
      🏃 running hurry
      🚶 walking
      👥 people team
    `),
  },
  {
    label: 'chatMessages.emojiWork',
    emoji: read(`
      ✅ done check yes complete
      ☑️ checked box
      ✔️ check mark
      ❌ cross no wrong failed
      ⚠️ warning caution
      🚨 alarm siren emergency alert
      🔥 fire burning
      🆘 sos help
      🛑 stop sign
      ⛔ no entry forbidden
      🚫 prohibited not allowed
      🚧 construction in progress
      ❗ exclamation important
      ❓ question
      ℹ️ information
      📣 announcement megaphone
      📢 loudspeaker
      🔔 bell notification
      🔕 muted silent
      📞 call phone receiver
      📱 mobile phone
      ☎️ telephone
      📧 email
      ✉️ envelope letter
      💬 comment speech message
      📝 note write memo
      📋 clipboard list plan
      📄 document page
      📎 attachment paperclip
      📌 pin important
      📍 location place here
      🗺️ map
      📅 calendar date
      ⏰ alarm clock time
      ⏳ waiting hourglass
      ⌛ time over
      ⏱️ stopwatch
      🔍 search look
      🔎 search detail
      🔒 locked secure
      🔓 unlocked open
      🔑 key access
      🛡️ shield protect defence
      🔧 wrench repair fix
      🛠️ tools maintenance
      ⚙️ settings gear
      🧯 extinguisher
      🚒 fire engine
      🚑 ambulance
      🚓 police car
      🚁 helicopter
      🏥 hospital
      🩺 stethoscope medical
      💉 syringe vaccine
      🩹 bandage first aid
      💊 pill medicine
      ☣️ biohazard
      ☢️ radioactive radiation
      🧪 test laboratory
      🦠 virus germ malware
      💻 laptop computer
      🖥️ desktop screen
      🖨️ printer
      💾 save disk backup
      🌐 network internet web
      📡 satellite antenna signal
      🔌 plug power
      🔋 battery
      🪫 low battery
      💡 idea light bulb
      🐛 bug error
      📈 rising chart growth
      📉 falling chart loss
      📊 bar chart report
      💰 money
      💳 card payment
      🏢 office building
      🏭 factory
      🏦 bank
      ⚖️ law justice scales
      🚀 rocket launch release
      🎯 target goal
      🏁 finish
      ♻️ recycle again
    `),
  },
  {
    label: 'chatMessages.emojiFaces',
    emoji: read(`
      😀 grin happy smile
      😃 happy open mouth
      😄 happy laughing eyes
      😁 beaming
      😅 sweat relief nervous laugh
      😂 tears of joy laugh
      🤣 rolling laugh
      🙂 slight smile
      🙃 upside down
      😉 wink
      😊 blush warm smile
      😇 angel halo
      🥰 love hearts
      😍 heart eyes
      😘 kiss
      😋 yum
      😜 tongue wink
      🤪 crazy
      🤗 hug
      🤭 oops giggle
      🤫 quiet shush secret
      🤔 thinking
      🤨 raised eyebrow doubt
      😐 neutral
      😑 expressionless
      😶 no mouth speechless
      😏 smirk
      🙄 rolling eyes
      😬 grimace awkward
      😌 relieved
      😔 sad pensive
      😴 sleeping tired
      😷 mask ill
      🤒 fever sick
      🤕 hurt injured
      🤢 nausea
      🤯 mind blown
      😵 dizzy
      🥳 party celebrate
      😎 cool sunglasses
      🤓 nerd
      🧐 monocle inspect
      😕 confused
      😟 worried
      🙁 frown
      😮 surprised open mouth
      😲 astonished
      😳 flushed
      🥺 pleading
      😨 fearful
      😰 anxious sweat
      😥 disappointed relieved
      😢 crying tear
      😭 sobbing
      😱 scream fear
      😖 confounded
      😣 persevere
      😞 disappointed
      😩 weary
      😫 exhausted tired
      😤 steam frustrated
      😡 angry red
      😠 angry
      🤬 swearing
      💀 skull dead
      🤖 robot bot
      🫠 melting
      🫢 hand over mouth
      🫤 diagonal mouth unsure
    `),
  },
  {
    label: 'chatMessages.emojiSymbols',
    emoji: read(`
      ❤️ red heart love
      🧡 orange heart
      💛 yellow heart
      💚 green heart
      💙 blue heart
      💜 purple heart
      🖤 black heart
      💔 broken heart
      💯 hundred perfect
      ✨ sparkles new
      ⭐ star
      🌟 glowing star
      💥 explosion boom
      🎉 party tada congratulations
      🎊 confetti
      🏆 trophy win
      🥇 first medal gold
      🔴 red circle
      🟠 orange circle
      🟡 yellow circle
      🟢 green circle
      🔵 blue circle
      ⚫ black circle
      ⚪ white circle
      🔺 up triangle
      🔻 down triangle
      ➡️ right arrow
      ⬅️ left arrow
      ⬆️ up arrow
      ⬇️ down arrow
      🔄 refresh again sync
      ➕ plus add
      ➖ minus remove
      ✖️ multiply times
      ♾️ infinity
      ‼️ double exclamation
      ⁉️ exclamation question
      1️⃣ one first
      2️⃣ two second
      3️⃣ three third
      4️⃣ four fourth
      5️⃣ five fifth
      🆕 new
      🆗 ok
      🆒 cool
      🔝 top
      ▶️ play start
      ⏸️ pause
      ⏹️ stop end
      ⏩ fast forward
    `),
  },
  {
    label: 'chatMessages.emojiNature',
    emoji: read(`
      ☀️ sun
      🌤️ sun cloud
      ☁️ cloud
      🌧️ rain
      ⛈️ thunderstorm
      🌩️ lightning
      ⚡ high voltage lightning power
      🌨️ snow
      ❄️ snowflake cold
      🌪️ tornado
      🌀 cyclone hurricane
      🌊 wave flood water
      💧 drop water
      ☔ umbrella rain
      🌡️ thermometer temperature heat
      🌫️ fog
      🌋 volcano
      🏔️ mountain
      🌍 earth world
      🌙 moon night
      🌱 seedling plant
      🌳 tree
      🌵 cactus dry
      🌻 sunflower
      🍀 clover luck
      🐶 dog
      🐱 cat
      🦊 fox
      🐻 bear
      🦁 lion
      🐴 horse
      🦄 unicorn
      🐝 bee
      🐢 turtle slow
      🐟 fish
      🦅 eagle
    `),
  },
  {
    label: 'chatMessages.emojiThings',
    emoji: read(`
      ☕ coffee break
      🍵 tea
      🍺 beer
      🍷 wine
      🥂 cheers glasses
      💦 sweat splash
      🍕 pizza
      🍔 burger
      🥪 sandwich lunch
      🍎 apple
      🍌 banana
      🎂 cake birthday
      🍪 cookie
      🍿 popcorn
      🏠 home house
      🏫 school
      🏨 hotel
      🏪 shop store
      🚪 door exit
      🛏️ bed
      🚗 car
      🚕 taxi
      🚌 bus
      🚆 train
      ✈️ plane flight
      🚢 ship
      🚲 bicycle
      ⛽ fuel
      🚦 traffic light
      🎁 gift
      🎵 music
      📷 camera photo
      🎥 video film
      🎮 game
      ⚽ football
      🏖️ beach holiday
      🧳 luggage travel
      👓 glasses
      👑 crown
      🔦 torch flashlight
      🕯️ candle
      🗑️ bin delete waste
      📦 package box
      🧹 broom clean
    `),
  },
]
const WORDS = new Map(EMOJI_GROUPS.flatMap(({ emoji }) => emoji))

/** Words that name an emoji in tooltips and for screen readers. */
export const wordsOfEmoji = (emoji: string): string => WORDS.get(emoji) ?? ''
/** Emoji whose words begin with every searched word; exact matches come first. */
export function findEmoji(search: string): string[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (words: string, fits: (one: string, word: string) => boolean) =>
    wanted.every((word) => words.split(' ').some((one) => fits(one, word)))
  const found = [...WORDS].filter(([, words]) => has(words, (one, word) => one.startsWith(word)))
  const isExact = ([, words]: (typeof found)[number]) => has(words, (one, word) => one === word)
  return found.toSorted((a, b) => Number(isExact(b)) - Number(isExact(a))).map(([emoji]) => emoji)
}
