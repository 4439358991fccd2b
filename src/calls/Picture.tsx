import { useEffect, useRef } from 'react'

interface Props {
  stream: MediaStream
  /** Names it for screen readers. */
  label: string
  /** The own camera, as in a mirror. */
  isMirrored?: boolean
  /** A screen is shown whole, a camera fills its tile. */
  isWhole?: boolean
}

/** A moving picture without sound: the engine plays the sound, also while no picture is shown. */
export function Picture({ stream, label, isMirrored = false, isWhole = false }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const element = video.current!
    element.srcObject = stream
    // The browser plays it once it is seen.
    void element.play()?.catch(() => undefined)
    return () => void (element.srcObject = null)
  }, [stream])
  return (
    <video
      ref={video}
      aria-label={label}
      muted
      playsInline
      autoPlay
      style={{
        position: 'absolute',
        inset: 0,
        width: '100%',
        height: '100%',
        objectFit: isWhole ? 'contain' : 'cover',
        ...(isMirrored && { transform: 'scaleX(-1)' }),
      }}
    />
  )
}
