const SECONDS = 1.2
const RATE = 24_000

/** Two tones as a WAV file. */
function twoTones(): Blob {
  const samples = Math.floor(SECONDS * RATE)
  const view = new DataView(new ArrayBuffer(44 + samples * 2))
  const write = (at: number, word: string) => {
    for (let n = 0; n < word.length; n++) view.setUint8(at + n, word.charCodeAt(n))
  }
  write(0, 'RIFF')
  view.setUint32(4, 36 + samples * 2, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  write(36, 'data')
  view.setUint32(40, samples * 2, true)
  for (let n = 0; n < samples; n++) {
    const pitch = n < samples / 2 ? 523 : 659
    // Fades in and out to avoid clicks.
    const volume = 0.25 * Math.min(1, n / 800, (samples - n) / 800)
    view.setInt16(44 + n * 2, Math.sin((2 * Math.PI * pitch * n) / RATE) * volume * 32_767, true)
  }
  return new Blob([view], { type: 'audio/wav' })
}

/** Plays a sound on a speaker; null for the browser's default. */
export async function playTestSound(speaker: string | null): Promise<void> {
  const audio: HTMLAudioElement & { setSinkId?: (id: string) => Promise<void> } = new Audio()
  const url = URL.createObjectURL(twoTones())
  audio.src = url
  audio.addEventListener('ended', () => URL.revokeObjectURL(url))
  await audio.setSinkId?.(speaker ?? '').catch(() => undefined)
  await audio.play().catch(() => undefined)
}
