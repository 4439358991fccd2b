import { useEffect, useState } from 'react'

type Problem = 'no-microphone' | 'no-camera' | 'not-allowed'

interface Capture {
  readonly stream: MediaStream | null
  readonly problem: Problem | null
}
const NOTHING: Capture = { stream: null, problem: null }

/** The stream of a device under test; `id` is null for the browser's default. */
export function useCapture(kind: 'audio' | 'video', id: string | null, isWanted: boolean): Capture {
  const [capture, setCapture] = useState(NOTHING)
  useEffect(() => {
    if (!isWanted) return undefined
    let isOver = false
    let captured: MediaStream | undefined
    const wanted = id === null ? true : { deviceId: { exact: id } }
    navigator.mediaDevices.getUserMedia(kind === 'audio' ? { audio: wanted } : { video: wanted }).then(
      (stream) => {
        captured = stream
        if (isOver) stop(stream)
        else setCapture({ stream, problem: null })
      },
      (error: unknown) => {
        const isRefused = error instanceof Error && error.name === 'NotAllowedError'
        const missing = kind === 'audio' ? 'no-microphone' : 'no-camera'
        if (!isOver) setCapture({ stream: null, problem: isRefused ? 'not-allowed' : missing })
      },
    )
    return () => {
      isOver = true
      if (captured) stop(captured)
      setCapture(NOTHING)
    }
  }, [kind, id, isWanted])
  return capture
}
const stop = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

/** The devices of this computer. Browsers name them only after a capture, so the list is refreshed with `streams`. */
export function useDeviceList([sound, picture]: readonly [
  MediaStream | null,
  MediaStream | null,
]): readonly MediaDeviceInfo[] {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([])
  useEffect(() => {
    const { mediaDevices } = navigator
    const look = () => void mediaDevices.enumerateDevices().then(setDevices, () => undefined)
    look()
    mediaDevices.addEventListener('devicechange', look)
    return () => mediaDevices.removeEventListener('devicechange', look)
    // Browsers name devices once a capture runs, so its streams trigger the effect.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [sound, picture])
  return devices
}
