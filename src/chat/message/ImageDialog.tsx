import ChevronLeftRounded from '@mui/icons-material/ChevronLeftRounded'
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import Dialog from '@mui/material/Dialog'
import IconButton from '@mui/material/IconButton'
import { useNotify } from 'react-admin'
import { type KeyboardEvent, useId, useState } from 'react'

import type { MessageAttachment } from '#contract/chat/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'

import { BlobImage } from './BlobImage.tsx'
import { useFile } from './queries.ts'

function LargeImage({ image }: { image: MessageAttachment }) {
  const text = useText()
  const { data, isError } = useFile(image.id)
  const [isBroken, setBroken] = useState(false)
  if (isBroken || (isError && !data))
    return <Box sx={{ color: 'text.secondary' }}>{text('chatMessages.notShown')}</Box>
  if (!data) return <CircularProgress aria-label={text('kit.loading')} />
  return (
    <BlobImage
      blob={data.blob}
      alt={image.title}
      onBroken={() => setBroken(true)}
      sx={{ maxWidth: '100%', maxHeight: '100%', objectFit: 'contain' }}
    />
  )
}

interface Props {
  images: readonly MessageAttachment[]
  index: number
  onIndex: (index: number) => void
  onDownload: (id: string) => Promise<void>
  onClose: () => void
}

/** A full-size image. Buttons and arrow keys lead to the others. */
export function ImageDialog({ images, index, onIndex, onDownload, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const titleId = useId()
  const image = images[index]!
  const { length } = images
  const isRtl = document.dir === 'rtl'
  const move = (step: number) => onIndex((index + step + length) % length)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined || length < 2) return
    event.preventDefault()
    move(isRtl ? -step : step)
  }
  const download = () =>
    onDownload(image.id).catch((error: unknown) =>
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }),
    )
  const arrow = {
    position: 'absolute',
    top: '50%',
    mt: '-22px',
    width: 44,
    height: 44,
    bgcolor: 'background.paper',
  }
  return (
    <Dialog open fullScreen onClose={onClose} onKeyDown={onKeyDown} aria-labelledby={titleId}>
      <Box
        sx={{ display: 'flex', alignItems: 'center', gap: 1, p: 1, borderBottom: 1, borderColor: 'divider' }}
      >
        <Box
          id={titleId}
          component="h2"
          sx={{
            flex: 1,
            minWidth: 0,
            m: 0,
            px: 1,
            fontSize: '1rem',
            overflow: 'hidden',
            whiteSpace: 'nowrap',
            textOverflow: 'ellipsis',
          }}
        >
          <bdi>{image.title}</bdi>
        </Box>
        {length > 1 && (
          <Box component="output" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
            {text('chatMessages.imageOf', { number: index + 1, total: length })}
          </Box>
        )}
        <IconButton
          aria-label={text('chatMessages.download', { name: image.title })}
          title={text('chatMessages.download', { name: image.title })}
          onClick={() => void download()}
          sx={{ width: 44, height: 44 }}
        >
          <DownloadRounded />
        </IconButton>
        <IconButton
          aria-label={text('kit.close')}
          title={text('kit.close')}
          onClick={onClose}
          autoFocus
          sx={{ width: 44, height: 44 }}
        >
          <CloseRounded />
        </IconButton>
      </Box>
      <Box
        sx={{
          position: 'relative',
          flex: 1,
          minHeight: 0,
          display: 'grid',
          gridTemplate: 'minmax(0, 1fr) / minmax(0, 1fr)',
          placeItems: 'center',
          p: 2,
          bgcolor: 'background.default',
        }}
      >
        <LargeImage key={image.id} image={image} />
        {length > 1 && (
          <>
            <IconButton
              aria-label={text('chatMessages.previousImage')}
              onClick={() => move(-1)}
              sx={{ ...arrow, insetInlineStart: 8 }}
            >
              <ChevronLeftRounded />
            </IconButton>
            <IconButton
              aria-label={text('chatMessages.nextImage')}
              onClick={() => move(1)}
              sx={{ ...arrow, insetInlineEnd: 8 }}
            >
              <ChevronRightRounded />
            </IconButton>
          </>
        )}
      </Box>
    </Dialog>
  )
}
