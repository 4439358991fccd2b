import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import { useQueries } from '@tanstack/react-query'
import { Form, RecordContextProvider, useNotify, useRecordContext } from 'react-admin'
import {
  type Ref,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { useFormContext, type UseFormReturn, useFormState } from 'react-hook-form'

import { CancelButton } from '../feedback/CancelButton.tsx'
import { Awaiting, isAwaiting } from '../feedback/Awaiting.tsx'
import { type FieldRule, FormRules, messageIn, resolverOf } from '../form/formRules.ts'
import { inputsOf } from '../form/inputs.ts'
import type { AnyDefinition, Listed, RequiredQuery } from './resource.ts'
import { useDraft } from '../form/useDraft.ts'
import { contested, KEEP_TYPED, type Notice, useSave } from '../form/useSave.ts'
import { useText } from '../useText.ts'

interface Props {
  definition: AnyDefinition
  titleId: string
  onDirty: (isDirty: boolean) => void
  onCancel: () => void
  onSaved: (saved: unknown) => void
}

const INPUTS = inputsOf<never>()

const NOTHING: readonly RequiredQuery[] = []

interface EffectsProps extends Pick<Props, 'definition' | 'onDirty'> {
  record: Listed | undefined
  valuesOf: (record: Listed | undefined) => Record<string, unknown>
  handle: Ref<UseFormReturn>
}

/**
 * The form for a new record, or for the one in react-admin's record context, once the answers that it is checked by are
 * known. It is saved by the save context: that of `RecordBase`, or of react-admin's own `<Edit>` and `<Create>`.
 */
export function ResourceForm(props: Props) {
  const { definition, titleId, onCancel } = props
  const record = useRecordContext()
  const required = useQueries({ queries: definition.required ?? NOTHING })
  const text = useText()
  if (!isAwaiting(required)) return <LoadedForm {...props} />
  return (
    <>
      <DialogTitle id={titleId}>{text((record ? definition.edit : definition.create)!.label)}</DialogTitle>
      <DialogContent dividers>
        <Awaiting queries={required} height={320} />
      </DialogContent>
      <DialogActions sx={{ pt: 2 }}>
        <CancelButton onClick={onCancel} />
      </DialogActions>
    </>
  )
}

function NoticeText({ text, list = [] }: Notice) {
  if (list.length < 2) return text
  return (
    <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
      {list.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </Box>
  )
}

/** The form around the layout of a dialog: title, content that scrolls, buttons. */
const FormFrame = styled(Form)({ display: 'contents' })

/** Follows the record, keeps a draft and shows what is wrong. */
function FormEffects({ definition, record, onDirty, valuesOf, handle }: EffectsProps) {
  const form = useFormContext()
  const { isDirty, submitCount, errors } = form.formState
  const notify = useNotify()
  useImperativeHandle(handle, () => form, [form])
  useDraft(form, definition.name)

  const tell = useEffectEvent(onDirty)
  useEffect(() => tell(isDirty), [isDirty])
  // The form opens with the list's row and takes the server's newer values while it is not dirty. When both sides
  // changed a field, it keeps its base, so that saving reports the conflict.
  const refresh = useEffectEvent((newer: Listed | undefined) => {
    if (!newer) return
    const theirs = valuesOf(newer)
    if (contested(form, theirs).length === 0) form.reset(theirs, KEEP_TYPED)
  })
  useEffect(() => refresh(record), [record])

  // Refusals by the server have a toast of their own.
  const problem = messageIn(Object.values(errors).filter((error) => error?.type !== 'server'))
  const sayInvalid = useEffectEvent(() => {
    if (definition.problemToast && problem) notify(problem, { type: 'error' })
  })
  useEffect(() => {
    if (submitCount > 0) sayInvalid()
  }, [submitCount])
  return null
}

/** A refused form keeps what was typed. */
function LoadedForm({ definition, titleId, onDirty, onCancel, onSaved }: Props) {
  const text = useText()
  const record = useRecordContext<Listed>()
  const { api, create, edit, inputs: Fields, checked } = definition
  const [rules] = useState(() => new Map<string, FieldRule>())
  const valuesOf = (of: Listed | undefined) =>
    (of === undefined ? create?.blank : edit?.values(of)) as Record<string, unknown>
  const [values] = useState(() => valuesOf(record))
  const handle = useRef<UseFormReturn>(null)
  const { notice, submit } = useSave({ definition, form: handle, record, valuesOf, onSaved })
  // A dialog renders in one piece with its content: the frame first, then the fields, deferred.
  const isFramed = useDeferredValue(true, false)
  return (
    <FormFrame
      record={values}
      resolver={resolverOf((record ? api.update : api.create).body, rules)}
      mode={checked === 'on change' ? 'onChange' : 'onSubmit'}
      resetOptions={KEEP_TYPED}
      noValidate
      disableInvalidFormNotification
      onSubmit={submit}
    >
      <RecordContextProvider value={record}>
        <FormRules value={rules}>
          <FormEffects {...{ definition, record, onDirty, valuesOf, handle }} />
          <DialogTitle id={titleId}>{text((record ? edit : create)!.label)}</DialogTitle>
          <DialogContent dividers>
            <Box
              role="presentation"
              onKeyDown={(event) => {
                // Where lines end with Enter, nobody expects it to send the form (decisions §5).
                const writesLines = event.currentTarget.querySelector('textarea') !== null
                if (event.key === 'Enter' && event.target instanceof HTMLInputElement && writesLines)
                  event.preventDefault()
              }}
              sx={{ display: 'grid', gap: 2.5 }}
            >
              {isFramed ? Fields && <Fields inputs={INPUTS} record={record} /> : <Box sx={{ height: 320 }} />}
            </Box>
          </DialogContent>
          {notice && (
            <Alert severity={notice.severity} sx={{ mx: 3, mt: 2 }}>
              <NoticeText {...notice} />
            </Alert>
          )}
          <FormButtons
            onCancel={onCancel}
            label={text(record ? 'grid.save' : (create!.submit ?? create!.label))}
          />
        </FormRules>
      </RecordContextProvider>
    </FormFrame>
  )
}

function FormButtons({ label, onCancel }: { label: string; onCancel: () => void }) {
  const { isSubmitting } = useFormState()
  return (
    <DialogActions sx={{ pt: 2 }}>
      <CancelButton onClick={onCancel} disabled={isSubmitting} />
      <Button type="submit" variant="contained" loading={isSubmitting}>
        {label}
      </Button>
    </DialogActions>
  )
}
