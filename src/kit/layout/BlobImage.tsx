import { useCallback } from 'react'

/** A decorative image of bytes that are held in memory. */
export function BlobImage({ bytes }: { bytes: Blob }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(bytes)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [bytes],
  )
  return <img ref={show} alt="" draggable={false} />
}
