import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useId } from 'react'

import { CancelButton } from '../feedback/CancelButton.tsx'
import { type Awaited, Awaiting, isAwaiting } from '../feedback/Awaiting.tsx'
import { PHONE } from '../resource/resourceLayout.ts'
import { useText } from '../useText.ts'

import { AssignStep } from './AssignStep.tsx'
import { ChooseStep, type Template } from './ChooseStep.tsx'
import { FaultyFile } from './FaultyFile.tsx'
import { LeftOut } from './LeftOut.tsx'
import { Problems } from './Problems.tsx'
import type { TableChoice } from './tableChoice.ts'
import { TableNotes } from './TableNotes.tsx'
import { type ImportStep, type TableImport, useTableImport } from './useTableImport.ts'

/** Texts and calls of one import, whose file is checked as `Read`. */
interface Props<Read extends object, Result extends object> extends Omit<
  TableImport<Read, Result>,
  'hasOutcome'
> {
  title: string
  /** Queries needed to check a file; choosing waits for them. */
  required: readonly Awaited[]
  /** Requirements for a file. */
  rules: string
  template: Template
  /** Message about the chosen file. */
  chosen: (read: Read) => string
  renderPreview: (read: Read) => ReactNode
  /** Button of the last step, and its label while busy; without `working` there is nothing to import. */
  submit: (read: Read) => { readonly label: string; readonly working?: string }
  /** Renders the result; without it the dialog closes. */
  renderOutcome?: (result: Result) => ReactNode
  /** Help about the errors of a file. */
  renderHelp?: (sentences: readonly string[]) => ReactNode
}

type State<Read extends object, Result extends object> = ReturnType<typeof useTableImport<Read, Result>>

interface ContinueProps {
  state: Pick<State<object, object>, 'isBlocked' | 'problemId' | 'goOn'>
  isAwaited: boolean
}
/** Leads to the preview. Disabled while the file has errors, which describe it. */
function ContinueButton({ state: { isBlocked, problemId, goOn }, isAwaited }: ContinueProps) {
  const text = useText()
  return (
    <Button
      variant="contained"
      disabled={isAwaited || isBlocked}
      aria-describedby={isBlocked ? problemId : undefined}
      onClick={goOn}
    >
      {text('tableImport.continue')}
    </Button>
  )
}

const STEP_NAMES = {
  choose: 'tableImport.chooseStep',
  assign: 'tableImport.assignStep',
  preview: 'tableImport.previewStep',
} as const
const stack = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 } as const

/** The steps of the file at hand; the columns are a step where somebody has to assign them. */
const stepsOf = (assigns: boolean): readonly ImportStep[] =>
  assigns ? ['choose', 'assign', 'preview'] : ['choose', 'preview']

interface ContentProps<Read extends object, Result extends object> {
  props: Props<Read, Result>
  state: State<Read, Result>
  working: string | undefined
}
function AssignContent<Read extends object, Result extends object>({
  props: { format, renderHelp },
  state,
  choice,
}: Omit<ContentProps<Read, Result>, 'working'> & { choice: TableChoice }) {
  const text = useText()
  const { refused, faulty, busy, problemId } = state
  return (
    <Box sx={stack}>
      <AssignStep
        choice={choice}
        format={format}
        onChange={state.change}
        onEncoding={(encoding) => void state.changeEncoding(encoding)}
      />
      <div id={problemId}>
        {refused && <Problems refused={refused} />}
        {faulty && (
          <FaultyFile faulty={faulty} help={renderHelp?.(faulty.sentences)} onGoOn={state.goOnWithout} />
        )}
      </div>
      {busy && <LinearProgress aria-label={text('tableImport.reading')} />}
    </Box>
  )
}

function PreviewContent<Read extends object, Result extends object>({
  props,
  state: { choice, faulty, refused, busy, reassign },
  working,
  file,
}: ContentProps<Read, Result> & { file: Read }) {
  return (
    <Box sx={stack}>
      {choice && <TableNotes choice={choice} template={props.template.headings} onChange={reassign} />}
      {faulty && <LeftOut faulty={faulty} />}
      {props.renderPreview(file)}
      {refused && <Problems refused={refused} />}
      {busy && (
        <Box role="status">
          <LinearProgress aria-hidden sx={{ mb: 1 }} />
          {working}
        </Box>
      )}
    </Box>
  )
}

function Content<Read extends object, Result extends object>(content: ContentProps<Read, Result>) {
  const text = useText()
  const { props, state } = content
  const { required, renderOutcome } = props
  const { step, file, faulty, result, choice, name, assigns } = state
  if (result && renderOutcome)
    return (
      <Box sx={stack}>
        {renderOutcome(result)}
        {faulty && <LeftOut faulty={faulty} done />}
      </Box>
    )
  if (isAwaiting(required)) return <Awaiting queries={required} height={240} />
  if (step === 'assign' && choice) return <AssignContent {...content} choice={choice} />
  if (step === 'preview' && file) return <PreviewContent {...content} file={file} />
  const isAssigned = assigns && !faulty
  return (
    <ChooseStep
      again={state.hasChosen}
      chosen={file ? props.chosen(file) : isAssigned ? text('tableImport.needsColumns', { name }) : undefined}
      name={name}
      refused={state.refused}
      faulty={assigns ? undefined : faulty}
      help={faulty && props.renderHelp?.(faulty.sentences)}
      problemId={state.problemId}
      busy={state.busy}
      rules={props.rules}
      template={props.template}
      onChoose={(picked) => void state.choose(picked)}
      onGoOnWithout={state.goOnWithout}
    />
  )
}

/** Imports people from a table: choice, columns where they have other names, and review (administration §2.1). */
export function ImportDialog<Read extends object, Result extends object>(props: Props<Read, Result>) {
  const { title, required, renderOutcome, onClose } = props
  const text = useText()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const state = useTableImport({ ...props, hasOutcome: renderOutcome !== undefined })
  const { step, file, busy, result, assigns, goBack, submit } = state
  const importing = busy && step === 'preview'
  const offer = file && props.submit(file)
  const steps = stepsOf(assigns)
  const leave = () => {
    if (!importing) onClose()
  }
  return (
    <Dialog
      open
      onClose={leave}
      fullScreen={phone}
      maxWidth={step === 'choose' || result ? 'sm' : step === 'assign' ? 'md' : 'lg'}
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId}>
        {title}
        {!result && (
          <Box
            component="span"
            sx={{ display: 'block', fontSize: '0.875rem', fontWeight: 400, color: 'text.secondary' }}
          >
            {text('tableImport.step', {
              step: steps.indexOf(step) + 1,
              count: steps.length,
              name: text(STEP_NAMES[step]),
            })}
          </Box>
        )}
      </DialogTitle>
      <DialogContent dividers>
        <Content props={props} state={state} working={offer?.working} />
      </DialogContent>
      <DialogActions sx={{ pt: 2 }}>
        {result ? (
          <Button variant="contained" onClick={({ detail }) => detail < 2 && onClose()}>
            {text('grid.done')}
          </Button>
        ) : (
          <>
            {step !== 'choose' && (
              <Button color="inherit" disabled={importing} onClick={goBack} sx={{ mr: 'auto' }}>
                {text('tableImport.back')}
              </Button>
            )}
            <CancelButton disabled={importing} onClick={leave} />
            {step !== 'preview' || !file ? (
              <ContinueButton state={state} isAwaited={isAwaiting(required)} />
            ) : (
              <Button
                variant="contained"
                loading={importing}
                disabled={offer?.working === undefined}
                // Ignores double clicks: on a phone, the second tap on Continue lands on this button, and one
                // on this button lands on Done.
                onClick={({ detail }) => detail < 2 && void submit(file)}
              >
                {offer?.label}
              </Button>
            )}
          </>
        )}
      </DialogActions>
    </Dialog>
  )
}
