import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ListItemButton from '@mui/material/ListItemButton'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import { playbooksApi } from '#contract/playbooks/api.ts'
import {
  NO_PROPOSAL,
  NO_START,
  type PlaybookContent,
  type PlaybookTemplate,
  type PlaybookVersion,
} from '#contract/playbooks/schema.ts'
import { call } from '#providers/api.ts'
import { usePeople } from '#providers/people.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { Awaiting, isAwaiting } from '#src/kit/feedback/Awaiting.tsx'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { Pager } from '#src/kit/list/Pager.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { PlaybookDifference } from '../PlaybookDifference.tsx'

import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { useVersion, useVersionPage, VERSIONS_PER_PAGE } from './queries.ts'
import { ROWS } from './rowsValues.ts'

/** Version to compare the chosen one with. */
type Comparison = 'before' | 'current'
const NOTHING: PlaybookContent = {
  name: '',
  description: '',
  categoryId: null,
  activities: [],
  proposal: NO_PROPOSAL,
  start: NO_START,
}

interface Choice {
  readonly version: number
  /** The preceding version; 0 for the first. */
  readonly before: number
}

interface RowProps {
  version: PlaybookVersion
  isChosen: boolean
  isCurrent: boolean
  onChoose: () => void
}

function VersionRow({ version: one, isChosen, isCurrent, onChoose }: RowProps) {
  const text = useText()
  const { nameOf } = usePeople()
  return (
    <li>
      <ListItemButton selected={isChosen} aria-current={isChosen} onClick={onChoose} sx={{ minHeight: 44 }}>
        <Box sx={{ minWidth: 0 }}>
          <Box sx={{ fontWeight: 600 }}>
            {text('playbookDialogs.versionNumber', { version: one.version })}
            {isCurrent && ` · ${text('playbookDialogs.currentVersion')}`}
          </Box>
          <Box sx={{ fontSize: '0.8125rem', overflowWrap: 'anywhere' }}>
            <bdi>{nameOf(one.savedBy)}</bdi>{' '}
            <Box component="span" sx={{ color: 'text.secondary' }}>
              <Time at={one.savedTimestamp} />
            </Box>
          </Box>
          {one.approvedBy !== null && (
            <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
              {text('playbookDialogs.approvedBy', { name: nameOf(one.approvedBy) })}
            </Box>
          )}
          {one.restoredFrom !== null && (
            <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
              {text('playbookDialogs.restoredFrom', { version: one.restoredFrom })}
            </Box>
          )}
        </Box>
      </ListItemButton>
    </li>
  )
}

interface ComparedProps {
  playbookId: string
  chosen: Choice
  newest: number
  comparison: Comparison
  onCompare: (comparison: Comparison) => void
}

/** Changes made by a version, or made since. */
function Compared({ playbookId, chosen, newest, comparison, onCompare }: ComparedProps) {
  const text = useText()
  const other = comparison === 'before' ? chosen.before : newest
  const [one, another] = [useVersion(playbookId, chosen.version), useVersion(playbookId, other)]
  const needed = other > 0 ? [one, another] : [one]
  const contents = () => {
    if (isAwaiting(needed) || !one.data) return <Awaiting queries={needed} height={240} />
    const fileNames = { ...one.data.fileNames, ...another.data?.fileNames }
    const [mine, theirs] = [one.data.content, another.data?.content ?? NOTHING]
    const [before, after] = comparison === 'before' ? [theirs, mine] : [mine, theirs]
    return <PlaybookDifference before={before} after={after} fileNames={fileNames} />
  }
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, alignContent: 'start' }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={comparison}
        onChange={(_, next: Comparison | null) => next && onCompare(next)}
        aria-label={text('playbookDialogs.compare')}
      >
        <ToggleButton value="before">{text('playbookDialogs.withBefore')}</ToggleButton>
        <ToggleButton value="current">{text('playbookDialogs.withCurrent')}</ToggleButton>
      </ToggleButtonGroup>
      {contents()}
    </Box>
  )
}

interface OpenProps {
  playbook: PlaybookTemplate
  /** True if the person may save the playbook. */
  canRestore: boolean
  onClose: () => void
}

/** Restores a version. Reports a save of somebody else; the next press restores anyway. */
function useRestore({ playbook, onClose }: OpenProps, newest: number) {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const [based, setBased] = useState<number>()
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['playbooks'] }),
      client.invalidateQueries({ queryKey: ['playbook-categories'] }),
    ])
  const restore = async (version: number) => {
    try {
      await call(playbooksApi.restore, {
        params: { id: playbook.id, version },
        body: { version: based ?? newest },
      })
    } catch (error) {
      if (error instanceof HttpProblem && error.body.code === 'stale') {
        setBased((await call(playbooksApi.get, { params: { id: playbook.id } })).version)
        void refresh()
      }
      throw error
    }
    notify(text('playbookDialogs.saved'), { type: 'success' })
    void refresh()
    onClose()
  }
  const explain = (error: unknown) => {
    const message = messageOf(error, text('kit.wentWrong'))
    const isStale = error instanceof HttpProblem && error.body.code === 'stale'
    return isStale ? `${message} ${text('playbookDialogs.restoreAgain')}` : message
  }
  return { restore, explain }
}

interface ListProps {
  rows: readonly PlaybookVersion[]
  total: number
  page: number
  onTurn: (page: number) => void
  newest: number
  chosen: Choice | undefined
  onChoose: (index: number) => void
}

function VersionList({ rows, total, page, onTurn, newest, chosen, onChoose }: ListProps) {
  const text = useText()
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box component="ul" aria-label={text('playbookDialogs.versionsTitle')} sx={ROWS}>
        {rows.slice(0, VERSIONS_PER_PAGE).map((one, index) => (
          <VersionRow
            key={one.version}
            version={one}
            isChosen={one.version === chosen?.version}
            isCurrent={one.version === newest}
            onChoose={() => onChoose(index)}
          />
        ))}
      </Box>
      {total > VERSIONS_PER_PAGE && (
        <Pager page={page} perPage={VERSIONS_PER_PAGE} total={total} setPage={onTurn} phone />
      )}
    </Box>
  )
}

/** The versions of a playbook, and the chosen one; by default the newest, on a phone none. */
function useVersions(playbook: PlaybookTemplate) {
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const [page, setPage] = useState(1)
  const [picked, setPicked] = useState<Choice>()
  const versions = useVersionPage(playbook.id, page)
  const newest = useVersionPage(playbook.id, 1).data?.items[0]?.version ?? playbook.version
  const { items: rows, total } = versions.data ?? { items: [], total: 0 }
  const choiceAt = (index: number): Choice => ({
    version: rows[index]!.version,
    before: rows[index + 1]?.version ?? 0,
  })
  return {
    phone,
    versions,
    newest,
    list: {
      rows,
      total,
      page,
      onTurn: setPage,
      newest,
      onChoose: (index: number) => setPicked(choiceAt(index)),
    },
    chosen: picked ?? (phone || rows.length === 0 ? undefined : choiceAt(0)),
    goBack: () => setPicked(undefined),
  }
}

function OpenDialog(props: OpenProps) {
  const { playbook, canRestore, onClose } = props
  const text = useText()
  const [comparison, setComparison] = useState<Comparison>('before')
  const [isAsking, setAsking] = useState(false)
  const { phone, versions, newest, list, chosen, goBack } = useVersions(playbook)
  const { restore, explain } = useRestore(props, Math.max(newest, playbook.version))
  const canGoBack = canRestore && chosen !== undefined && chosen.version < newest
  const difference = chosen && (
    <Compared
      key={chosen.version}
      playbookId={playbook.id}
      chosen={chosen}
      newest={newest}
      comparison={comparison}
      onCompare={setComparison}
    />
  )
  return (
    <>
      <DialogFrame
        title={text('playbookDialogs.versionsTitle')}
        lead={
          <Box dir="auto" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {playbook.name}
          </Box>
        }
        maxWidth="lg"
        isTall
        onClose={onClose}
        actions={
          <>
            {phone && chosen && (
              <Button color="inherit" sx={{ mr: 'auto' }} onClick={goBack}>
                {text('grid.back')}
              </Button>
            )}
            <Button color="inherit" onClick={onClose}>
              {text('kit.close')}
            </Button>
            {canGoBack && (
              <Button variant="contained" onClick={() => setAsking(true)}>
                {text('playbookDialogs.restore')}
              </Button>
            )}
          </>
        }
      >
        {versions.data ? (
          <Box
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '240px minmax(0, 1fr)' },
              gap: 3,
            }}
          >
            {(!phone || !chosen) && <VersionList {...list} chosen={chosen} />}
            {difference}
          </Box>
        ) : (
          <Awaiting queries={[versions]} height={320} />
        )}
      </DialogFrame>
      <ConfirmDialog
        open={isAsking}
        title={text('playbookDialogs.restoreTitle', { version: chosen?.version ?? 0 })}
        text={text('playbookDialogs.restoreText')}
        submitLabel={text('playbookDialogs.restore')}
        onSubmit={() => restore(chosen!.version)}
        explain={explain}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

interface Props extends OpenProps {
  open: boolean
}

/** The saved versions of a playbook: author, changes and restore. */
export const VersionsDialog = ({ open, ...props }: Props) => open && <OpenDialog {...props} />
