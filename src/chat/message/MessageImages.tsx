import BrokenImageOutlined from '@mui/icons-material/BrokenImageOutlined'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Skeleton from '@mui/material/Skeleton'
import { useState, Suspense } from 'react'

import type { MessageAttachment } from '#contract/chat/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import { BlobImage } from './BlobImage.tsx'
import { MissingFile } from './MissingFile.tsx'
import { useFile } from './queries.ts'

const ImageDialog = lazy(async () => ({ default: (await import('./ImageDialog.tsx')).ImageDialog }))

/** Heights of previews in pixels (operations §9). */
const ALONE_HEIGHT = 150
const SHARED_HEIGHT = 100

interface PreviewProps {
  image: MessageAttachment
  height: number
  onOpen: () => void
  onRemove: (() => void) | undefined
}

function Preview({ image, height, onOpen, onRemove }: PreviewProps) {
  const text = useText()
  const { data, isError, isMissing, refetch } = useFile(image.id)
  const [isBroken, setBroken] = useState(false)
  if (isMissing) return <MissingFile name={image.title} onRemove={onRemove} />
  const hasFailed = (isError && !data) || isBroken
  const label = text('chatMessages.openImage', { name: image.title })
  return (
    <ButtonBase
      aria-label={label}
      title={image.title}
      onClick={hasFailed && !isBroken ? () => void refetch() : onOpen}
      sx={{
        height,
        minWidth: 44,
        maxWidth: '100%',
        border: 1,
        borderColor: 'divider',
        borderRadius: '6px',
        overflow: 'hidden',
        bgcolor: 'action.hover',
        fontFamily: 'inherit',
      }}
    >
      {hasFailed ? (
        <Box
          component="span"
          sx={{ display: 'flex', gap: 1, px: 1.5, color: 'text.secondary', fontSize: '0.8125rem' }}
        >
          <BrokenImageOutlined />
          {text('chatMessages.notShown')}
        </Box>
      ) : data ? (
        <BlobImage
          blob={data.blob}
          alt={image.title}
          onBroken={() => setBroken(true)}
          sx={{ height: '100%', maxWidth: '100%', objectFit: 'cover' }}
        />
      ) : (
        <Skeleton variant="rectangular" width={height * 1.4} height={height} />
      )}
    </ButtonBase>
  )
}

interface Props {
  images: readonly MessageAttachment[]
  /** Returns the function that removes a missing image from the message; undefined if not permitted. */
  removal: (image: MessageAttachment) => (() => void) | undefined
  onDownload: (id: string) => Promise<void>
}

/** The images of a message. A click opens one in full size. */
export function MessageImages({ images, removal, onDownload }: Props) {
  const [opened, setOpened] = useState<number | null>(null)
  const height = images.length === 1 ? ALONE_HEIGHT : SHARED_HEIGHT
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
      {images.map((image, index) => (
        <Preview
          key={image.id}
          image={image}
          height={height}
          onOpen={() => setOpened(index)}
          onRemove={removal(image)}
        />
      ))}
      {opened !== null && (
        <Suspense>
          <ImageDialog
            images={images}
            index={Math.min(opened, images.length - 1)}
            onIndex={setOpened}
            onDownload={onDownload}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </Box>
  )
}
