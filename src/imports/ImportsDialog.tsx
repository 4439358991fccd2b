import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import HistoryRounded from '@mui/icons-material/HistoryRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import type { ImportKind } from '#contract/import-columns/schema.ts'
import { importsApi } from '#contract/imports/api.ts'
import type { ImportReport } from '#contract/imports/schema.ts'
import { call } from '#providers/api.ts'
import { usePeople } from '#providers/people.ts'
import { messageOf } from '#providers/problem.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { useReport, useReports } from './queries.ts'
import { ReportView } from './ReportView.tsx'

const COUNTS = ['added', 'changed', 'gone', 'problems'] as const

function ReportEntry({ report, onOpen }: { report: ImportReport; onOpen: () => void }) {
  const text = useText()
  const { nameOf } = usePeople()
  const counts = COUNTS.filter((count) => report[count] > 0)
  const shown = counts.length > 0 ? counts : (['unchanged'] as const)
  return (
    <ButtonBase
      onClick={onOpen}
      sx={{
        display: 'block',
        width: '100%',
        px: { xs: 2, sm: 3 },
        py: 1.25,
        font: 'inherit',
        textAlign: 'start',
      }}
    >
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'baseline', gap: 2 }}>
        <Box component="span" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          <bdi>{report.fileName || (report.source ?? text('imports.unnamed'))}</bdi>
        </Box>
        <Box component="span" sx={{ flex: 'none', color: 'text.secondary' }}>
          <Time at={report.createTimestamp} />
        </Box>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, rowGap: 0.5 }}>
        <span>
          {shown.map((count) => text(`imports.counts.${count}`, { smart_count: report[count] })).join(' · ')}
        </span>
        <Box component="span" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {report.actor === null ? text('imports.system') : nameOf(report.actor)}
        </Box>
        {report.undoTimestamp !== null && <StatusChip label={text('imports.undone')} icon={HistoryRounded} />}
      </Box>
    </ButtonBase>
  )
}

function ReportList({ kind, onOpen }: { kind: ImportKind; onOpen: (id: string) => void }) {
  const text = useText()
  const reports = useReports(kind)
  const found = reports.data?.pages.flat()
  if (!found)
    return reports.error ? (
      <ErrorState error={reports.error} onRetry={() => void reports.refetch()} />
    ) : (
      <ListSkeleton phone />
    )
  if (found.length === 0) return <EmptyState icon={<HistoryRounded />} text={text('imports.empty')} />
  return (
    <>
      <Box
        component="ul"
        aria-label={text('imports.list')}
        sx={{
          // Entries reach the edges of the dialog.
          mx: { xs: -2, sm: -3 },
          my: -2,
          p: 0,
          listStyle: 'none',
          '& > li + li': { borderTop: 1, borderColor: 'divider' },
        }}
      >
        {found.map((report) => (
          <li key={report.id}>
            <ReportEntry report={report} onOpen={() => onOpen(report.id)} />
          </li>
        ))}
      </Box>
      {reports.hasNextPage && (
        <Button
          loading={reports.isFetchingNextPage}
          onClick={() => void reports.fetchNextPage()}
          sx={{ mt: 3 }}
        >
          {text('imports.more')}
        </Button>
      )}
    </>
  )
}

function OpenReport({ id, onUndone }: { id: string; onUndone: () => void }) {
  const { data, error, refetch } = useReport(id)
  if (data) return <ReportView report={data} onUndone={onUndone} />
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <ListSkeleton phone />
}

function DownloadButton({ id }: { id: string }) {
  const text = useText()
  const notify = useNotify()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { blob, fileName } = await call(importsApi.export, { params: { id } })
      saveFile(blob, fileName)
    } catch (error) {
      notify(messageOf(error, text('imports.notDownloaded')), { type: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button loading={isBusy} startIcon={<DownloadRounded />} onClick={() => void save()}>
      {text('imports.download')}
    </Button>
  )
}

interface Props {
  kind: ImportKind
  /** The report that is open at first. */
  first?: string
  onUndone: () => void
  onClose: () => void
}

/** Reports of imports, and one of them. */
export function ImportsDialog({ kind, first, onUndone, onClose }: Props) {
  const text = useText()
  const [id, setId] = useState(first)
  return (
    <DialogFrame
      title={text(`imports.title.${kind}`)}
      maxWidth="md"
      isTall
      onClose={onClose}
      actions={
        <>
          {id !== undefined && (
            <>
              <Button
                color="inherit"
                startIcon={<ArrowBackRounded />}
                onClick={() => setId(undefined)}
                sx={{ mr: 'auto' }}
              >
                {text('imports.back')}
              </Button>
              <DownloadButton id={id} />
            </>
          )}
          <Button onClick={onClose}>{text('kit.close')}</Button>
        </>
      }
    >
      {id === undefined ? (
        <ReportList kind={kind} onOpen={setId} />
      ) : (
        <OpenReport id={id} onUndone={onUndone} />
      )}
    </DialogFrame>
  )
}
