import ArrowDropDownRounded from '@mui/icons-material/ArrowDropDownRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonGroup from '@mui/material/ButtonGroup'
import ListItemText from '@mui/material/ListItemText'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Paper from '@mui/material/Paper'
import { Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'
import { useDockedHeight } from '#src/kit/layout/useDockedHeight.ts'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import type { EditorFields } from './editorValues.ts'
import { ItemList } from './ItemList.tsx'
import { MainFields } from './MainFields.tsx'
import { OtherEditors } from './OtherEditors.tsx'
import { StartBlock } from './StartBlock.tsx'
import { type EditorModel, type EditorOptions, usePlaybookEditor } from './usePlaybookEditor.tsx'
import { useUndoKeys } from './useUndoKeys.ts'

const ConflictDialog = lazy(async () => ({ default: (await import('./ConflictDialog.tsx')).ConflictDialog }))
const DraftOffer = lazy(async () => ({ default: (await import('./DraftOffer.tsx')).DraftOffer }))
const SavedMeanwhile = lazy(async () => ({ default: (await import('./SavedMeanwhile.tsx')).SavedMeanwhile }))

const TITLES = {
  new: 'playbooks.newPlaybook',
  edit: 'playbooks.editPlaybook',
  clone: 'playbooks.clonePlaybook',
} as const

/** Other people who edit the playbook, or saved it meanwhile. */
function Others({ editor, options }: { editor: EditorModel; options: EditorOptions }) {
  const { playbook } = options
  if (options.mode !== 'edit' || !playbook) return null
  const { base, state, conflict } = editor
  const known = { opened: base.playbook, version: state.version, current: playbook }
  return (
    <Box sx={{ display: 'grid', gap: 1, '&:not(:empty)': { mb: 2 } }}>
      <OtherEditors id={playbook.id} />
      <Suspense>
        {editor.isBehind && <SavedMeanwhile {...known} onTakeTheirs={editor.takeTheirs} />}
        {conflict && (
          <ConflictDialog
            {...known}
            openedDraft={base.savedDraft}
            draftRevision={state.draftRevision}
            conflict={conflict}
            onSaveOver={editor.saveOver}
            onSaveAsNew={editor.saveAsNew}
            onKeepEditing={editor.keepEditing}
          />
        )}
      </Suspense>
    </Box>
  )
}

/** Saves; its menu saves a draft instead. */
function SaveButtons({ editor }: { editor: EditorModel }) {
  const text = useText()
  const needsApproval = useConfig()?.playbookApproval === true
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <ButtonGroup variant="contained" disableElevation>
        <Button loading={editor.busy} onClick={editor.save}>
          {text(needsApproval ? 'playbooks.saveForApproval' : 'playbooks.save')}
        </Button>
        <Button
          aria-label={text('playbooks.otherWaysToSave')}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          disabled={editor.busy}
          onClick={(event) => setAnchor(event.currentTarget)}
          sx={{ px: 0.5 }}
        >
          <ArrowDropDownRounded />
        </Button>
      </ButtonGroup>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
        transformOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      >
        <MenuItem
          onClick={() => {
            setAnchor(null)
            editor.saveDraft()
          }}
        >
          <ListItemText
            primary={text('playbooks.saveAsDraft')}
            secondary={text('playbooks.saveAsDraftHelp')}
          />
        </MenuItem>
      </Menu>
    </>
  )
}

/** Save and Cancel, always in view. */
function Buttons({ editor }: { editor: EditorModel }) {
  const text = useText()
  const bar = useDockedHeight()
  return (
    <Box
      ref={bar}
      sx={{
        position: 'sticky',
        bottom: { xs: 'calc(56px + env(safe-area-inset-bottom))', sm: 0 },
        zIndex: 2,
        display: 'flex',
        justifyContent: 'flex-end',
        gap: 1,
        mt: 3,
        py: 1.5,
        bgcolor: 'background.paper',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Button color="inherit" onClick={editor.cancel}>
        {text('kit.cancel')}
      </Button>
      <SaveButtons editor={editor} />
    </Box>
  )
}

/** Creates, edits or clones a playbook (operations §4, §5). */
export function PlaybookEditor(options: EditorOptions) {
  const { mode, playbook } = options
  const text = useText()
  const editor = usePlaybookEditor(options)
  const { state, dispatch, draft } = editor
  const title = text(TITLES[mode])
  const onFields = useCallback(
    (changes: Partial<EditorFields>) => dispatch({ type: 'field', changes }),
    [dispatch],
  )
  const root = useRef<HTMLElement>(null)
  const { refusals } = state
  /** True from a refused save until the first field with an error has the focus. */
  const seeksError = useRef(false)
  const focusError = () => {
    const field = root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (!seeksError.current || !field) return
    seeksError.current = false
    field.scrollIntoView({ block: 'center' })
    field.focus({ preventScroll: true })
  }
  const onRefused = useEffectEvent(focusError)
  useEffect(() => {
    seeksError.current = refusals > 0
    onRefused()
  }, [refusals])
  useUndoKeys(
    () => dispatch({ type: 'undo' }),
    () => dispatch({ type: 'redo' }),
  )
  if (draft.found)
    return (
      <>
        <PageTitle title={title} />
        <Suspense>
          <DraftOffer
            draft={draft.found}
            playbook={playbook}
            onContinue={editor.continueDraft}
            onDiscard={draft.drop}
          />
        </Suspense>
      </>
    )
  return (
    <Paper
      ref={root}
      component="section"
      aria-label={title}
      variant="outlined"
      sx={{ p: { xs: 2, md: 3 }, pb: 0, minWidth: 0 }}
    >
      <PageTitle title={title} />
      <Others editor={editor} options={options} />
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 3 }}>
        <MainFields
          fields={state.fields}
          errors={state.errors.fields}
          onChange={onFields}
          autoFocus={mode !== 'edit'}
        />
        <StartBlock fields={state.fields} errors={state.errors.fields} onChange={onFields} />
        <ItemList
          state={state}
          dispatch={dispatch}
          playbookId={mode === 'edit' ? playbook?.id : undefined}
          maxItems={editor.maxItems}
          canUndo={editor.canUndo}
          canRedo={editor.canRedo}
          onFormShown={focusError}
        />
      </Box>
      <Buttons editor={editor} />
      {editor.guard}
    </Paper>
  )
}
