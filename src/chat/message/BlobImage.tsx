import Box from '@mui/material/Box'
import type { SystemStyleObject } from '@mui/system'
import { useEffect, useRef } from 'react'

interface Props {
  blob: Blob
  alt: string
  /** Called if the bytes are no image. */
  onBroken: () => void
  sx: SystemStyleObject
}

/** An image from loaded bytes. Its object URL lives as long as the component. */
export function BlobImage({ blob, alt, onBroken, sx }: Props) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const url = URL.createObjectURL(blob)
    if (image.current) image.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [blob])
  return <Box ref={image} component="img" alt={alt} onError={onBroken} sx={sx} />
}
