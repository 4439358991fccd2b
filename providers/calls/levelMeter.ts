/** Measures the loudness of a stream. */
export interface LevelMeter {
  /** From 0 for silence to 1. */
  readonly level: () => number
  readonly close: () => void
}
const SILENT: LevelMeter = { level: () => 0, close: () => undefined }

/** Measures a stream's sound without playing it. Browsers measure nothing before the first click on the page. */
export function levelMeter(stream: MediaStream): LevelMeter {
  if (typeof AudioContext === 'undefined' || stream.getAudioTracks().length === 0) return SILENT
  const audio = new AudioContext()
  const analyser = audio.createAnalyser()
  analyser.fftSize = 512
  const source = audio.createMediaStreamSource(stream)
  source.connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    level: () => {
      analyser.getFloatTimeDomainData(samples)
      let sum = 0
      for (const sample of samples) sum += sample * sample
      return Math.min(1, Math.sqrt(sum / samples.length))
    },
    close: () => {
      source.disconnect()
      void audio.close()
    },
  }
}
