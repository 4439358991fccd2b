import KeyboardArrowDownRounded from '@mui/icons-material/KeyboardArrowDownRounded'
import KeyboardArrowUpRounded from '@mui/icons-material/KeyboardArrowUpRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { useCallback, useEffect, useState } from 'react'

import { pagesOf } from '#contract/kit/files.ts'
import { useText } from '#src/kit/useText.ts'

import { NotPreviewed, PreviewState } from './PreviewState.tsx'
import { type Load, usePreviewed } from './usePreviewed.ts'

interface Props {
  kind: 'image' | 'audio' | 'video'
  name: string
  load: Load
  mediaUrl: string | undefined
}

interface ViewerProps {
  name: string
  url: string
  onBroken: () => void
}

/** An image, fitted to its container or in its natural size. */
function Picture({ name, url, onBroken }: ViewerProps) {
  const text = useText()
  const [isActual, setActual] = useState(false)
  return (
    <Box sx={{ flex: 1, display: 'flex', flexDirection: 'column', minHeight: 0, minWidth: 0 }}>
      <Box
        // Makes the scroll area reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={text('filePreview.document')}
        sx={{ flex: 1, display: 'flex', minHeight: 0, overflow: 'auto', p: 1 }}
      >
        <Box
          component="img"
          src={url}
          alt={name}
          onError={onBroken}
          sx={{ m: 'auto', ...(!isActual && { maxWidth: '100%', maxHeight: '100%', objectFit: 'contain' }) }}
        />
      </Box>
      <Box sx={{ flex: 'none', display: 'flex', justifyContent: 'center', py: 0.5 }}>
        <Button size="small" color="inherit" aria-pressed={isActual} onClick={() => setActual(!isActual)}>
          {text(isActual ? 'filePreview.fit' : 'filePreview.actual')}
        </Button>
      </Box>
    </Box>
  )
}

function MediaViewer({ kind, name, url }: Omit<ViewerProps, 'onBroken'> & Pick<Props, 'kind'>) {
  const [isBroken, setBroken] = useState(false)
  const onBroken = () => setBroken(true)
  if (isBroken) return <NotPreviewed because="broken" />
  if (kind === 'image') return <Picture name={name} url={url} onBroken={onBroken} />
  if (kind === 'audio')
    return (
      <Box
        component="audio"
        controls
        preload="metadata"
        src={url}
        aria-label={name}
        onError={onBroken}
        sx={{ m: 'auto', width: 'min(560px, 90%)' }}
      />
    )
  return (
    <Box
      component="video"
      controls
      playsInline
      preload="metadata"
      src={url}
      aria-label={name}
      onError={onBroken}
      sx={{ m: 'auto', maxWidth: '100%', maxHeight: '100%' }}
    />
  )
}

/** Relabels QuickTime files: browsers play their content, but not under their own type. */
const urlOf = (content: Blob) =>
  URL.createObjectURL(
    content.type === 'video/quicktime' ? content.slice(0, content.size, 'video/mp4') : content,
  )

/** A medium that was loaded as a whole. */
function Loaded({ kind, name, load }: Omit<Props, 'mediaUrl'>) {
  const state = usePreviewed(load, urlOf)
  const url = state.status === 'ready' ? state.value : undefined
  useEffect(() => (url === undefined ? undefined : () => URL.revokeObjectURL(url)), [url])
  if (state.status !== 'ready') return <PreviewState state={state} />
  return <MediaViewer kind={kind} name={name} url={state.value} />
}

interface PagesProps {
  page: number
  total: number
  onPage: (page: number) => void
}
function PageButtons({ page, total, onPage }: PagesProps) {
  const text = useText()
  return (
    <Box
      sx={{ flex: 'none', display: 'flex', alignItems: 'center', justifyContent: 'center', gap: 1, py: 0.5 }}
    >
      <IconButton
        size="small"
        aria-label={text('filePreview.previousPage')}
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      >
        <KeyboardArrowUpRounded />
      </IconButton>
      <span role="status">{text('filePreview.pageOf', { page, total })}</span>
      <IconButton
        size="small"
        aria-label={text('filePreview.nextPage')}
        disabled={page === total}
        onClick={() => onPage(page + 1)}
      >
        <KeyboardArrowDownRounded />
      </IconButton>
    </Box>
  )
}

/** An image that the server converts, page by page. */
function ConvertedImage({ name, load }: Pick<Props, 'name' | 'load'>) {
  const [page, setPage] = useState(1)
  const [total, setTotal] = useState(1)
  const loadPage = useCallback(async () => {
    const content = await load(page)
    setTotal(pagesOf(content.type))
    return content
  }, [load, page])
  return (
    <Box sx={{ flex: 1, display: 'flex', flexDirection: 'column', minWidth: 0, minHeight: 0 }}>
      <Box sx={{ flex: 1, display: 'flex', minHeight: 0 }}>
        <Loaded key={page} kind="image" name={name} load={loadPage} />
      </Box>
      {total > 1 && <PageButtons page={page} total={total} onPage={setPage} />}
    </Box>
  )
}

/** An image, or audio or video with the browser's own controls. */
export function MediaPreview({ mediaUrl, isConverted, ...props }: Props & { isConverted: boolean }) {
  // An element of the page could not tell a busy server from a broken image.
  if (isConverted) return <ConvertedImage name={props.name} load={props.load} />
  return mediaUrl === undefined ? (
    <Loaded {...props} />
  ) : (
    <MediaViewer key={mediaUrl} kind={props.kind} name={props.name} url={mediaUrl} />
  )
}
