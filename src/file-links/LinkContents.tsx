import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useEffect, useEffectEvent, useState } from 'react'

import type { LinkItem, LinkVisit } from '#contract/file-links/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { linkPage as texts } from '#providers/i18n/link-page.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'

import { downloadItem, listItems, previewItem } from './visitQueries.ts'

interface Props {
  visit: LinkVisit
  /** Called once the passcode is needed again. */
  onOver: () => void
}
interface Shown {
  readonly name: string
  readonly url: string
  readonly type: string
}

/** Formats that every browser shows by itself, without scripts. */
const VIEWED = /^(png|jpe?g|gif|webp|bmp|heic|tiff?|mp3|wav|ogg|mp4|mov)$/i

function Preview({ shown }: { shown: Shown }) {
  const { name, url, type } = shown
  const sx = { maxWidth: '100%', maxHeight: '60vh', mt: 2 } as const
  if (type.startsWith('image/')) return <Box component="img" src={url} alt={name} sx={sx} />
  return <Box component={type.startsWith('audio/') ? 'audio' : 'video'} src={url} controls sx={sx} />
}

interface RowProps {
  item: LinkItem
  onFolder: () => void
  onView: () => void
  onDownload: () => void
}

function ItemRow({ item, onFolder, onView, onDownload }: RowProps) {
  const { isFolder, extension, size } = item
  const name = wholeName(item)
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        py: 1,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box dir="auto" sx={{ flex: 1, minWidth: 160, overflowWrap: 'anywhere' }}>
        {isFolder ? (
          <Link component="button" type="button" onClick={onFolder} sx={{ textAlign: 'start' }}>
            {name}
          </Link>
        ) : (
          name
        )}
        {!isFolder && (
          <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
            {fileSize(navigator.language, size)}
          </Box>
        )}
      </Box>
      {!isFolder && VIEWED.test(extension) && (
        <Button size="small" color="inherit" aria-label={texts.viewOf(name)} onClick={onView}>
          {texts.view}
        </Button>
      )}
      {!isFolder && (
        <Button size="small" aria-label={texts.downloadOf(name)} onClick={onDownload}>
          {texts.download}
        </Button>
      )}
    </Box>
  )
}

/** A linked file, or what lies in a linked folder, to view and download. */
export function LinkContents({ visit: { visit, item }, onOver }: Props) {
  const [path, setPath] = useState<readonly LinkItem[]>([item])
  const [rows, setRows] = useState<{ items: readonly LinkItem[]; total: number; page: number }>()
  const [shown, setShown] = useState<Shown>()
  const [problem, setProblem] = useState<string>()
  const folder = path.at(-1)!
  const fail = (error: unknown) => {
    if (statusOf(error) === 401) onOver()
    else setProblem(messageOf(error, texts.unexpected))
  }
  const attempt = (work: () => Promise<void>) => {
    setProblem(undefined)
    work().catch(fail)
  }
  const failed = useEffectEvent(fail)
  useEffect(() => {
    listItems(visit, folder.id, 1).then((found) => setRows({ ...found, page: 1 }), failed)
  }, [visit, folder.id])
  const loadMore = ({ items, page }: { items: readonly LinkItem[]; page: number }) =>
    attempt(async () => {
      const found = await listItems(visit, folder.id, page + 1)
      setRows({ items: [...items, ...found.items], total: found.total, page: page + 1 })
    })
  const enter = (next: readonly LinkItem[]) => {
    setShown(undefined)
    setPath(next)
  }
  return (
    <>
      <Typography variant="h1" gutterBottom sx={{ overflowWrap: 'anywhere' }}>
        {folder.name}
      </Typography>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        {path.length > 1 && (
          <Button color="inherit" onClick={() => enter(path.slice(0, -1))}>
            {texts.back}
          </Button>
        )}
        {folder.isFolder && rows && rows.total > 0 && (
          <Button variant="outlined" onClick={() => attempt(() => downloadItem(visit, folder.id))}>
            {texts.zip}
          </Button>
        )}
      </Box>
      {problem && (
        <Alert severity="error" sx={{ mt: 2 }}>
          {problem}
        </Alert>
      )}
      {rows?.total === 0 && <Box sx={{ mt: 2, color: 'text.secondary' }}>{texts.empty}</Box>}
      {rows && rows.total > 0 && (
        <Box component="ul" aria-label={texts.files} sx={{ m: 0, mt: 1, p: 0, listStyle: 'none' }}>
          {rows.items.map((one) => (
            <ItemRow
              key={one.id}
              item={one}
              onFolder={() => enter([...path, one])}
              onView={() =>
                attempt(async () => setShown({ name: wholeName(one), ...(await previewItem(visit, one.id)) }))
              }
              onDownload={() => attempt(() => downloadItem(visit, one.id))}
            />
          ))}
        </Box>
      )}
      {rows && rows.items.length < rows.total && <Button onClick={() => loadMore(rows)}>{texts.more}</Button>}
      {shown && <Preview key={shown.url} shown={shown} />}
    </>
  )
}
