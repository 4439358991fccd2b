import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense, useState } from 'react'

import { playbooksAccess } from '#contract/playbooks/access.ts'
import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { statusOf } from '#providers/problem.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useLatest } from '#src/kit/browser/useLatest.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { NARROW } from '#src/kit/layout/breakpoints.ts'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { SideBySide } from '#src/kit/layout/SideBySide.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useText } from '#src/kit/useText.ts'

import type { CreatedPlaybook } from './dialogs/importValues.ts'
import type { EditorDraft } from './editor/draftValues.ts'
import { PlaybookList } from './list/PlaybookList.tsx'
import { useDraft, usePlaybook } from './queries.ts'
import { type PlaybookDialog, usePlaybookDialogs } from './usePlaybookDialogs.tsx'
import { type EditorMode, type PlaybookRoute, usePlaybookRoute } from './usePlaybookRoute.ts'

const PlaybookEditor = lazy(async () => ({
  default: (await import('./editor/PlaybookEditor.tsx')).PlaybookEditor,
}))

const PlaybookView = lazy(async () => ({ default: (await import('./view/PlaybookView.tsx')).PlaybookView }))

const Suggestions = lazy(async () => ({ default: (await import('./view/Suggestions.tsx')).Suggestions }))

/** Width in pixels of the list beside a playbook. */
const LIST_WIDTH = 320

interface ContentProps {
  route: PlaybookRoute
  openDialog: (dialog: PlaybookDialog) => void
}

interface EditorProps {
  playbook: OpenedPlaybook
  mode: EditorMode
  route: PlaybookRoute
}

/** The editor of a playbook, once the draft that there is at first has loaded. */
function OpenEditor({ playbook, mode, route }: EditorProps) {
  const [revision] = useState(mode === 'edit' ? playbook.draft?.revision : undefined)
  const draft = useDraft(playbook.id, revision)
  // The draft may have been published since the playbook was fetched.
  const isGone = statusOf(draft.error) === 404
  if (revision !== undefined && !draft.data && !isGone) return <Awaiting queries={[draft]} height={480} />
  return <PlaybookEditor mode={mode} playbook={playbook} savedDraft={draft.data} route={route} />
}

/** The playbook of the address, in a view or in an editor. */
function OpenPlaybook({ id, route, openDialog }: ContentProps & { id: string }) {
  const text = useText()
  const query = usePlaybook(id)
  const { data: playbook, error } = query
  // An editor keeps its input, even if the playbook was deleted.
  if (playbook && route.mode)
    return <OpenEditor key={`${route.mode} ${id}`} playbook={playbook} mode={route.mode} route={route} />
  if (statusOf(error) === 404)
    return (
      <Paper variant="outlined">
        <EmptyState
          text={text('playbooks.notFound')}
          action={
            <Button variant="outlined" onClick={route.showList}>
              {text('playbooks.back')}
            </Button>
          }
        />
      </Paper>
    )
  if (!playbook) return <Awaiting queries={[query]} height={480} />
  return (
    <>
      <PageTitle title={text('playbooks.view')} />
      <PlaybookView playbook={playbook} route={route} openDialog={openDialog} />
    </>
  )
}

/**
 * The page of playbooks (operations §2): the list on the left, a playbook or its editor beside it; on a phone one at a time.
 */
export function PlaybooksPage() {
  const text = useText()
  const isNarrow = useMediaQuery(NARROW, { noSsr: true })
  const canWrite = useCan()(playbooksAccess.write)
  const route = usePlaybookRoute(canWrite)
  const [begun, setBegun] = useState<EditorDraft>()
  const [imported, setImported] = useState<readonly CreatedPlaybook[]>([])
  const openId = useLatest(route.id)
  const dialogs = usePlaybookDialogs({
    canWrite,
    onStarter: ({ name, description, activities }) => {
      setBegun({ name, description, categoryId: null, activities })
      route.create()
    },
    onImported: (created) => {
      setImported(created)
      const [first, ...others] = created
      route.reveal(others.length === 0 ? first?.id : undefined)
    },
    onImportUndone: (ids) => {
      setImported([])
      // The notification outlives the dialog that made it.
      if (openId.current !== undefined && ids.includes(openId.current)) route.showList()
    },
  })
  const create = (categoryId?: string) => {
    setBegun(undefined)
    route.create(categoryId)
  }
  const { id, mode } = route
  const hasContent = id !== undefined || mode === 'new'
  const list = (
    <PlaybookList
      openId={id}
      isWriting={mode !== undefined}
      imported={imported}
      onCreate={create}
      onDialog={dialogs.open}
    />
  )
  const content = () => {
    if (mode === 'new')
      return (
        <PlaybookEditor
          key={`${route.categoryId} ${begun?.name}`}
          mode="new"
          playbook={undefined}
          begun={begun}
          route={route}
        />
      )
    if (id !== undefined) return <OpenPlaybook key={id} id={id} route={route} openDialog={dialogs.open} />
    return <Suggestions onStarters={() => dialogs.open({ kind: 'starters' })} />
  }
  const shown = <Suspense fallback={<ListSkeleton phone />}>{content()}</Suspense>
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <PageTitle title={text('playbooks.list')} />
      {isNarrow && hasContent && !mode && (
        <Button color="inherit" startIcon={<ArrowBackRounded />} onClick={route.back} sx={{ mb: 1 }}>
          {text('playbooks.back')}
        </Button>
      )}
      {isNarrow && (hasContent ? shown : list)}
      {!isNarrow && (
        <SideBySide side={list} width={LIST_WIDTH}>
          {shown}
        </SideBySide>
      )}
      {dialogs.element}
    </Box>
  )
}
