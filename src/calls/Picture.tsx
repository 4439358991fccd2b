import { useEffect, useRef } from 'react'

interface Props {
  stream: MediaStream
  /** Accessible name. */
  label: string
  /** Mirrors the own camera. */
  isMirrored?: boolean
  /** Shows a screen whole; a camera fills its tile. */
  isWhole?: boolean
}

/** Video without sound: the engine plays the sound, also while no picture is shown. */
export function Picture({ stream, label, isMirrored = false, isWhole = false }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const element = video.current!
    element.srcObject = stream
    // A refused autoplay is harmless: the browser starts the video once it is visible.
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
