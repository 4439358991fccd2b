import ArchiveRounded from '@mui/icons-material/ArchiveRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { Suspense } from 'react'
import { useLocaleState } from 'react-admin'

import { fileAccess } from '#contract/attachments/rules.ts'
import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { usePeople } from '#providers/people.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { longDate } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { AttachmentList, AttachmentsButton } from '#src/attachments/Attachments.tsx'
import { useCategories } from '../useCategories.ts'

import { PlaybookFigures } from '../list/PlaybookFigures.tsx'
import { ReviewMark } from '../list/ReviewMark.tsx'
import { isReviewDue } from '../list/reviewValues.ts'
import { hasStart } from '../startValues.ts'
import type { PlaybookDialog } from '../usePlaybookDialogs.tsx'
import type { PlaybookRoute } from '../usePlaybookRoute.ts'
import { Contents } from './Contents.tsx'
import { Part } from './Part.tsx'
import { PlaybookToolbar } from './PlaybookToolbar.tsx'
import { usePlaybookActions } from './usePlaybookActions.tsx'

const DraftPanel = lazy(async () => ({ default: (await import('./DraftPanel.tsx')).DraftPanel }))
const Use = lazy(async () => ({ default: (await import('./Use.tsx')).Use }))
const AtStart = lazy(async () => ({ default: (await import('./AtStart.tsx')).AtStart }))

/** Owner, last save and next review. */
function About({ playbook }: { playbook: OpenedPlaybook }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { nameOf } = usePeople()
  const { data: categories } = useCategories()
  const { categoryId, owner, reviewDate, sharedBy, updatedBy, updateTimestamp, version } = playbook
  const category = categories?.find(({ id }) => id === categoryId)?.name
  return (
    <Facts
      facts={[
        [
          text('playbooks.category'),
          categoryId === null ? text('playbooks.uncategorized') : (category ?? '…'),
        ],
        [text('playbooks.owner'), owner === null ? text('playbooks.nobody') : nameOf(owner)],
        [
          text('playbooks.reviewDate'),
          reviewDate === null ? (
            text('playbooks.noReviewDate')
          ) : (
            <>
              {longDate(locale, Date.parse(reviewDate))} {isReviewDue(playbook) && <ReviewMark />}
            </>
          ),
        ],
        [
          text('playbooks.lastSaved'),
          <>
            <Time at={updateTimestamp} />,{' '}
            {version === 0
              ? nameOf(updatedBy)
              : text('playbooks.savedBy', { name: nameOf(updatedBy), version })}
          </>,
        ],
        ...(sharedBy === null ? [] : [[text('playbooks.sharedBy'), sharedBy] as const]),
      ]}
    />
  )
}

function ArchiveNote({ at, onBringBack }: { at: string; onBringBack: (() => void) | undefined }) {
  const text = useText()
  return (
    <Alert
      severity="info"
      icon={<ArchiveRounded />}
      sx={{ mt: 2 }}
      action={
        onBringBack && (
          <Button size="small" color="inherit" onClick={onBringBack}>
            {text('playbooks.unarchive')}
          </Button>
        )
      }
    >
      {text('playbooks.archiveNote')} <Time at={at} />.
    </Alert>
  )
}

function Attachments({ id, isArchived }: { id: string; isArchived: boolean }) {
  const text = useText()
  const canWrite = useCan()(fileAccess('PLAYBOOK', 'write')) && !isArchived
  const props = {
    parent: { parentType: 'PLAYBOOK', parentId: id },
    canAdd: canWrite,
    canRemove: () => canWrite,
  } as const
  return (
    <Part title={text('playbooks.attachments')} side={canWrite && <AttachmentsButton {...props} />}>
      <AttachmentList {...props} />
    </Part>
  )
}

interface Props {
  playbook: OpenedPlaybook
  route: PlaybookRoute
  openDialog: (dialog: PlaybookDialog) => void
}

/** A playbook, read-only (operations §2). */
export function PlaybookView({ playbook, route, openDialog }: Props) {
  const text = useText()
  const { main, more, isExporting, question, bringBack } = usePlaybookActions(playbook, route, openDialog)
  const { id, name, description, activities, draft, archiveTimestamp } = playbook
  return (
    <Paper component="article" variant="outlined" sx={{ p: { xs: 2, md: 3 }, minWidth: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'start', gap: 1.5 }}>
        <Box sx={{ flex: '1 1 280px', minWidth: 0 }}>
          <Typography variant="h2" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
            {name}
          </Typography>
          <Box sx={{ mt: 0.5 }}>
            <PlaybookFigures playbook={playbook} />
          </Box>
        </Box>
        <PlaybookToolbar main={main} more={more} />
      </Box>
      {isReviewDue(playbook) && (
        <Box sx={{ mt: 1 }}>
          <ReviewMark />
        </Box>
      )}
      {archiveTimestamp !== null && <ArchiveNote at={archiveTimestamp} onBringBack={bringBack} />}
      <Box sx={{ height: 4, mt: 1 }}>
        {isExporting && <LinearProgress aria-label={text('playbooks.exporting', { name })} />}
      </Box>
      <Suspense>{draft && archiveTimestamp === null && <DraftPanel playbook={playbook} />}</Suspense>
      <Part title={text('playbooks.brief')}>
        {description.trim() === '' ? (
          <Box sx={{ color: 'text.secondary' }}>{text('playbooks.noBrief')}</Box>
        ) : (
          <PlainText text={description} />
        )}
      </Part>
      <Suspense>{hasStart(playbook) && <AtStart playbook={playbook} />}</Suspense>
      <Part title={text('playbooks.contents')}>
        <Contents id={id} activities={activities} />
      </Part>
      <Attachments id={id} isArchived={archiveTimestamp !== null} />
      <Part title={text('playbooks.about')}>
        <About playbook={playbook} />
      </Part>
      <Suspense>{playbook.isPublished && <Use id={id} />}</Suspense>
      {question}
    </Paper>
  )
}
