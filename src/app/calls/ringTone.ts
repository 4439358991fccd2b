const PITCHES = [523, 659] as const
const TONE_SECONDS = 0.35
/** Milliseconds from the start of one ring to the next. */
const EVERY_MS = 3_000
const VOLUME = 0.12
/** Browsers allow sound only after one of these events. */
const GESTURES = ['pointerdown', 'keydown'] as const

/** Two pairs of two tones, as telephones ring. */
function ring(audio: AudioContext) {
  const volume = audio.createGain()
  volume.connect(audio.destination)
  for (const begin of [0, 2.4 * TONE_SECONDS])
    for (const [n, pitch] of PITCHES.entries()) {
      const from = audio.currentTime + begin + n * TONE_SECONDS
      const tone = audio.createOscillator()
      tone.frequency.value = pitch
      tone.connect(volume)
      // Without a ramp each tone would start and end with a click.
      volume.gain.setValueAtTime(0.0001, from)
      volume.gain.exponentialRampToValueAtTime(VOLUME, from + 0.03)
      volume.gain.exponentialRampToValueAtTime(0.0001, from + TONE_SECONDS)
      tone.start(from)
      tone.stop(from + TONE_SECONDS)
    }
}

/**
 * Rings once, or until the returned function is called. If the browser blocks sound before a gesture, ringing
 * starts with the first click or key.
 */
export function startRinging({ isOnce }: { isOnce: boolean }): () => void {
  if (typeof AudioContext === 'undefined') return () => undefined
  let audio: AudioContext | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const forget = () => {
    for (const gesture of GESTURES) window.removeEventListener(gesture, begin)
  }
  const begin = () => {
    forget()
    const context = new AudioContext()
    audio = context
    ring(context)
    if (!isOnce) timer = setInterval(() => ring(context), EVERY_MS)
  }
  if (navigator.userActivation?.hasBeenActive) begin()
  else for (const gesture of GESTURES) window.addEventListener(gesture, begin)
  return () => {
    forget()
    clearInterval(timer)
    void audio?.close()
  }
}
