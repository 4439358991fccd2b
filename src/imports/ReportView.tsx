import UndoRounded from '@mui/icons-material/UndoRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useLocaleState } from 'react-admin'
import { type ReactNode, Suspense, useState } from 'react'

import type { ImportReport } from '#contract/imports/schema.ts'
import { usePeople } from '#providers/people.ts'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { formatNumber } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import { ReportRows } from './ReportRows.tsx'

const ConfirmUndo = lazy(async () => ({ default: (await import('./ConfirmUndo.tsx')).ConfirmUndo }))

const COUNTS = { ADDED: 'added', CHANGED: 'changed', GONE: 'gone', PROBLEM: 'problems' } as const
const VIEWS = ['ADDED', 'CHANGED', 'GONE', 'PROBLEM', 'UNDO'] as const
type View = (typeof VIEWS)[number]
const GONE_TEXTS = {
  KEEP: 'imports.goneKept',
  ARCHIVE: 'imports.goneArchived',
  REMOVE: 'imports.goneRemoved',
} as const

function ReportFacts({ report }: { report: ImportReport }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { nameOf } = usePeople()
  const { createTimestamp, actor, source, fileName, unchanged } = report
  const facts: [string, ReactNode][] = [
    [text('imports.when'), <Time key="time" at={createTimestamp} absolute />],
    [text('imports.who'), actor === null ? text('imports.system') : nameOf(actor)],
    ...(source === null ? [] : [[text('imports.source'), source] as [string, ReactNode]]),
    ...(fileName === '' ? [] : [[text('imports.file'), fileName] as [string, ReactNode]]),
    [text('imports.unchanged'), formatNumber(locale, unchanged)],
  ]
  return <Facts facts={facts} />
}

/** Undoing a report, or what it left. */
function UndoPanel({ report, onUndo }: { report: ImportReport; onUndo: () => void }) {
  const text = useText()
  const { nameOf } = usePeople()
  const { id, kind, undoneBy, undoTimestamp, notUndone } = report
  if (undoTimestamp === null)
    return (
      <Box sx={{ display: 'grid', justifyItems: 'start', gap: 2, py: 2, maxWidth: 560 }}>
        {text(`imports.undoText.${kind}`)}
        <Button variant="outlined" color="error" startIcon={<UndoRounded />} onClick={onUndo}>
          {text('imports.undo')}
        </Button>
      </Box>
    )
  return (
    <Box sx={{ display: 'grid', gap: 1, py: 2 }}>
      <Alert severity={notUndone === 0 ? 'success' : 'warning'}>
        {text(notUndone === 0 ? 'imports.undoneWhole' : 'imports.undonePartly', { smart_count: notUndone })}{' '}
        {undoneBy !== null && text('imports.undoneBy', { name: nameOf(undoneBy) })}{' '}
        <Time at={undoTimestamp} />
      </Alert>
      {notUndone > 0 && (
        <ReportRows
          id={id}
          filter={{ isKept: true }}
          label={text('imports.tabs.UNDO')}
          none="imports.none.UNDO"
        />
      )}
    </Box>
  )
}

/** One report with its rows by what was done. */
export function ReportView({ report, onUndone }: { report: ImportReport; onUndone: () => void }) {
  const text = useText()
  const [locale] = useLocaleState()
  const first = VIEWS.find((view) => view !== 'UNDO' && report[COUNTS[view]] > 0) ?? 'ADDED'
  const [view, setView] = useState<View>(first)
  const [isAsking, setAsking] = useState(false)
  const label = (name: View) =>
    name === 'UNDO'
      ? text('imports.tabs.UNDO')
      : `${text(`imports.tabs.${name}`)} ${formatNumber(locale, report[COUNTS[name]])}`
  return (
    <>
      <ReportFacts report={report} />
      <Tabs
        value={view}
        onChange={(_, next: View) => setView(next)}
        variant="scrollable"
        scrollButtons="auto"
        allowScrollButtonsMobile
        aria-label={text('imports.open')}
        sx={{ mt: 2, borderBottom: 1, borderColor: 'divider' }}
      >
        {VIEWS.map((name) => (
          <Tab
            key={name}
            value={name}
            id={`import-${name}`}
            aria-controls={`import-panel-${name}`}
            label={label(name)}
          />
        ))}
      </Tabs>
      <div role="tabpanel" id={`import-panel-${view}`} aria-labelledby={`import-${view}`}>
        {view === 'GONE' && report.gone > 0 && (
          <Box sx={{ pt: 1.5, color: 'text.secondary' }}>{text(GONE_TEXTS[report.goneAction])}</Box>
        )}
        {view === 'UNDO' ? (
          <UndoPanel report={report} onUndo={() => setAsking(true)} />
        ) : (
          <ReportRows
            key={view}
            id={report.id}
            filter={{ outcome: view }}
            label={text(`imports.tabs.${view}`)}
            none={`imports.none.${view}`}
          />
        )}
      </div>
      <Suspense>
        {isAsking && (
          <ConfirmUndo
            kind={report.kind}
            id={report.id}
            onUndone={onUndone}
            onClose={() => setAsking(false)}
          />
        )}
      </Suspense>
    </>
  )
}
