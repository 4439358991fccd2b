import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useId, useRef, useState } from 'react'

import { HttpProblem, messageOf } from '#providers/problem.ts'
import { CancelButton } from '../feedback/CancelButton.tsx'
import { type Awaited, Awaiting, isAwaiting } from '../feedback/Awaiting.tsx'
import { PHONE } from '../resource/resourceLayout.ts'
import { useText } from '../useText.ts'

import { ChooseStep, type Template } from './ChooseStep.tsx'
import { LeftOut } from './LeftOut.tsx'
import { Problems } from './Problems.tsx'
import type { Faulty, Refused } from './readCsv.ts'

/** Texts and calls of one import, whose file is parsed as `Read`. */
interface Props<Read extends object, Result extends object> {
  title: string
  /** Queries needed to check a file; choosing waits for them. */
  required: readonly Awaited[]
  /** Requirements for a file. */
  rules: string
  template: Template
  read: (file: File) => Promise<Read | Refused | Faulty<Read>>
  /** Message about the chosen file. */
  chosen: (read: Read) => string
  renderPreview: (read: Read) => ReactNode
  /** Button of the second step, and its label while busy; without `working` there is nothing to import. */
  submit: (read: Read) => { readonly label: string; readonly working?: string }
  send: (read: Read) => Promise<Result>
  /** Message for an error without one of the server's. */
  failed: string
  /** Renders the result; without it the dialog closes. */
  renderOutcome?: (result: Result) => ReactNode
  /** Help about the errors of a file. */
  renderHelp?: (sentences: readonly string[]) => ReactNode
  onClose: () => void
}

const isFaulty = <Read extends object>(read: object): read is Faulty<Read> => 'rest' in read
const isRefused = (read: object): read is Refused => 'sentences' in read || 'text' in read

/** File, step and actions of an import. */
function useImport<Read extends object, Result extends object>(props: Props<Read, Result>) {
  const latest = useRef<File>(null)
  /** True if Continue was pressed while the file was read. */
  const goesOn = useRef(false)
  const problemId = useId()
  const [step, setStep] = useState<1 | 2>(1)
  const [file, setFile] = useState<Read>()
  const [refused, setRefused] = useState<Refused>()
  const [faulty, setFaulty] = useState<Faulty<Read>>()
  const [name, setName] = useState('')
  const [hasChosen, setHasChosen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Result>()

  const choose = async (chosen: File) => {
    latest.current = chosen
    goesOn.current = false
    setHasChosen(true)
    setName(chosen.name)
    setFile(undefined)
    setRefused(undefined)
    setFaulty(undefined)
    setBusy(true)
    const read = await props.read(chosen).catch((): Refused => ({ text: 'tableImport.notRead' }))
    // Another file was chosen meanwhile.
    if (latest.current !== chosen) return
    setBusy(false)
    if (isFaulty<Read>(read)) setFaulty(read)
    else if (isRefused(read)) setRefused(read)
    else {
      setFile(read)
      if (goesOn.current) setStep(2)
    }
  }
  const goOn = () => {
    if (file) setStep(2)
    else if (busy) goesOn.current = true
    else if (!faulty) setRefused(refused ?? { text: 'tableImport.noFile' })
  }
  /** Continues with the valid rows. */
  const goOnWithout = () => {
    setFile(faulty?.rest)
    setStep(2)
  }
  const goBack = () => {
    setRefused(undefined)
    if (faulty) setFile(undefined)
    setStep(1)
  }
  const submit = async (read: Read) => {
    setBusy(true)
    setRefused(undefined)
    try {
      const done = await props.send(read)
      if (props.renderOutcome) setResult(done)
      else props.onClose()
    } catch (error) {
      const fields = new Set(error instanceof HttpProblem ? Object.values(error.body.fields ?? {}) : [])
      setRefused({ sentences: fields.size > 0 ? [...fields] : [messageOf(error, props.failed)] })
    } finally {
      setBusy(false)
    }
  }

  return {
    step,
    file,
    name,
    refused,
    faulty,
    hasChosen,
    // The errors above the button explain why it is disabled.
    isBlocked: faulty !== undefined || (hasChosen && refused !== undefined),
    problemId,
    busy,
    result,
    choose,
    goOn,
    goOnWithout,
    goBack,
    submit,
  }
}

interface ContinueProps {
  state: Pick<ReturnType<typeof useImport>, 'isBlocked' | 'problemId' | 'goOn'>
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

/** Imports a CSV file in two steps: choice and review (administration §2.1). */
export function ImportDialog<Read extends object, Result extends object>(props: Props<Read, Result>) {
  const { title, required, rules, template, renderOutcome, onClose } = props
  const text = useText()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const state = useImport(props)
  const { step, file, refused, busy, result, goBack, submit } = state
  const importing = busy && step === 2
  const offer = file && props.submit(file)
  const leave = () => {
    if (!importing) onClose()
  }
  const content = () => {
    if (result && renderOutcome)
      return (
        <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
          {renderOutcome(result)}
          {state.faulty && <LeftOut faulty={state.faulty} done />}
        </Box>
      )
    if (isAwaiting(required)) return <Awaiting queries={required} height={240} />
    if (step === 1 || !file)
      return (
        <ChooseStep
          again={state.hasChosen}
          chosen={file && props.chosen(file)}
          name={state.name}
          refused={refused}
          faulty={state.faulty}
          help={state.faulty && props.renderHelp?.(state.faulty.sentences)}
          problemId={state.problemId}
          busy={busy}
          rules={rules}
          template={template}
          onChoose={(chosen) => void state.choose(chosen)}
          onGoOnWithout={state.goOnWithout}
        />
      )
    return (
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        {state.faulty && <LeftOut faulty={state.faulty} />}
        {props.renderPreview(file)}
        {refused && <Problems refused={refused} />}
        {importing && (
          <Box role="status">
            <LinearProgress aria-hidden sx={{ mb: 1 }} />
            {offer?.working}
          </Box>
        )}
      </Box>
    )
  }
  return (
    <Dialog
      open
      onClose={leave}
      fullScreen={phone}
      maxWidth={step === 2 && !result ? 'lg' : 'sm'}
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
              step,
              name: text(step === 1 ? 'tableImport.chooseStep' : 'tableImport.previewStep'),
            })}
          </Box>
        )}
      </DialogTitle>
      <DialogContent dividers>{content()}</DialogContent>
      <DialogActions sx={{ pt: 2 }}>
        {result ? (
          <Button variant="contained" onClick={({ detail }) => detail < 2 && onClose()}>
            {text('grid.done')}
          </Button>
        ) : (
          <>
            {step === 2 && (
              <Button color="inherit" disabled={importing} onClick={goBack} sx={{ mr: 'auto' }}>
                {text('tableImport.back')}
              </Button>
            )}
            <CancelButton disabled={importing} onClick={leave} />
            {step === 1 || !file ? (
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
