import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import DoNotDisturbOnRounded from '@mui/icons-material/DoNotDisturbOnRounded'
import ErrorRounded from '@mui/icons-material/ErrorRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { type ReactNode, Suspense, useState } from 'react'
import { useNotify } from 'react-admin'

import { soonFrom } from '#contract/duties/rules.ts'
import type { DutyClock } from '#contract/duties/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { dutyClocks as words } from '#providers/i18n/duties.ts'
import { usePeople } from '#providers/people.ts'
import { messageOf } from '#providers/problem.ts'
import { FileChips } from '#src/attachments/FileChips.tsx'
import { lazy } from '#src/kit/browser/lazy.ts'
import { Card } from '#src/kit/layout/Card.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { RichTextView } from '#src/kit/rich-text/RichTextView.tsx'
import { HALF_MINUTE, MINUTE, useNow } from '#src/kit/time/clock.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { minutesInWords } from '../command/durationWords.ts'
import { DraftField } from './DraftField.tsx'
import { useClockActs } from './queries.ts'

const FileDialog = lazy(async () => ({ default: (await import('./FileDialog.tsx')).FileDialog }))
const SetAsideDialog = lazy(async () => ({ default: (await import('./SetAsideDialog.tsx')).SetAsideDialog }))
const ChangeDialog = lazy(async () => ({ default: (await import('./ChangeDialog.tsx')).ChangeDialog }))

/** Height in pixels above which a draft that was filed folds. */
const FOLD_AT = 160

/** The rest of a clock, as words and colour. */
function Remains({ clock }: { clock: DutyClock }) {
  const now = useNow(HALF_MINUTE)
  if (clock.state === 'FILED')
    return <StatusChip label={words.filed} icon={CheckCircleRounded} tone="success" />
  if (clock.state === 'NOT_NEEDED') return <StatusChip label={words.notNeeded} icon={DoNotDisturbOnRounded} />
  const minutes = Math.floor(Math.abs(Date.parse(clock.dueTimestamp) - now) / MINUTE)
  const time = minutesInWords(minutes)
  if (now >= Date.parse(clock.dueTimestamp))
    return <StatusChip label={words.late(time)} icon={ErrorRounded} tone="error" />
  return now >= soonFrom(clock) ? (
    <StatusChip label={words.soon(time)} icon={WarningAmberRounded} tone="warning" />
  ) : (
    <StatusChip label={words.left(time)} icon={ScheduleRounded} />
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '140px minmax(0, 1fr)' }, columnGap: 2 }}>
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </Box>
  )
}

function Facts({ clock }: { clock: DutyClock }) {
  const { nameOf } = usePeople()
  const { filedTo, hint, dueTimestamp, awareTimestamp, holder, filedTimestamp, filedBy, reference, link } =
    clock
  return (
    <Box sx={{ display: 'grid', gap: 0.75 }}>
      {hint !== null && clock.state === 'RUNNING' && (
        <Box sx={{ color: 'text.secondary', maxWidth: 720 }}>{hint}</Box>
      )}
      <Box component="dl" sx={{ m: 0, display: 'grid', gap: 0.75 }}>
        {filedTo !== null && <Fact name={words.filedTo}>{filedTo}</Fact>}
        <Fact name={words.due}>
          <Time at={dueTimestamp} absolute />
        </Fact>
        <Fact name={words.aware}>
          <Time at={awareTimestamp} absolute />
        </Fact>
        <Fact name={words.holder}>
          <bdi>{holder === null ? words.nobody : fullName(holder) || holder.email}</bdi>
        </Fact>
        {filedTimestamp !== null && (
          <Fact name={words.filed}>
            <Time at={filedTimestamp} absolute /> <bdi>{words.by(nameOf(filedBy ?? ''))}</bdi>
          </Fact>
        )}
        {reference !== null && <Fact name={words.reference}>{reference}</Fact>}
        {link !== null && (
          <Fact name={words.link}>
            <Link href={link} target="_blank" rel="noopener noreferrer">
              {link}
            </Link>
          </Fact>
        )}
        {clock.files.length > 0 && (
          <Fact name={words.files}>
            <FileChips files={clock.files} />
          </Fact>
        )}
        {clock.reason !== null && <Fact name={words.reason}>{clock.reason}</Fact>}
      </Box>
    </Box>
  )
}

type Opened = 'file' | 'setAside' | 'change'
function Acts({ clock }: { clock: DutyClock }) {
  const text = useText()
  const notify = useNotify()
  const { resume } = useClockActs(clock.incidentId)
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const { name, state } = clock
  const again = () =>
    resume.mutate(clock, {
      onSuccess: () => notify(words.resumed(name), { type: 'success' }),
      onError: (error) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }),
    })
  const quiet = { color: 'inherit', sx: { minHeight: { xs: 44, sm: 36 } } } as const
  if (state !== 'RUNNING')
    return (
      <Button {...quiet} aria-label={words.resumeOf(name)} disabled={resume.isPending} onClick={again}>
        {words.resume}
      </Button>
    )
  return (
    <>
      <Button
        variant="outlined"
        aria-label={words.fileOf(name)}
        onClick={() => setOpened('file')}
        sx={quiet.sx}
      >
        {words.file}
      </Button>
      <Button {...quiet} aria-label={words.setAsideOf(name)} onClick={() => setOpened('setAside')}>
        {words.setAside}
      </Button>
      <Button {...quiet} aria-label={words.changeOf(name)} onClick={() => setOpened('change')}>
        {words.change}
      </Button>
      <Suspense>
        {opened === 'file' && <FileDialog clock={clock} onClose={close} />}
        {opened === 'setAside' && <SetAsideDialog clock={clock} onClose={close} />}
        {opened === 'change' && <ChangeDialog clock={clock} onClose={close} />}
      </Suspense>
    </>
  )
}

/** The clock of a duty: what remains, the draft, and the proof of what was filed. */
export function ClockCard({ clock, canWrite }: { clock: DutyClock; canWrite: boolean }) {
  const isRunning = clock.state === 'RUNNING'
  return (
    <Card heading="h3" title={clock.name} side={<Remains clock={clock} />}>
      <Facts clock={clock} />
      <Box sx={{ mt: 2 }}>
        {isRunning && canWrite ? (
          <DraftField clock={clock} />
        ) : (
          clock.draft !== '' && <RichTextView html={clock.draft} foldAt={FOLD_AT} />
        )}
      </Box>
      {canWrite && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1 }}>
          <Acts clock={clock} />
        </Box>
      )}
    </Card>
  )
}
