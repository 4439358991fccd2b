import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useQueries } from '@tanstack/react-query'
import { RecordContextProvider, useNotify } from 'react-admin'
import { useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import { type FieldErrors, FormProvider, useForm } from 'react-hook-form'

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
  record: Listed | undefined
  titleId: string
  onDirty: (isDirty: boolean) => void
  onCancel: () => void
  onSaved: (saved: unknown) => void
}

const INPUTS = inputsOf<never>()

const NOTHING: readonly RequiredQuery[] = []

/** The form for a new record, or for one that is edited, once the answers that it is checked by are known. */
export function ResourceForm(props: Props) {
  const { definition, record, titleId, onCancel } = props
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

/** A refused form keeps what was typed. */
function LoadedForm({ definition, record, titleId, onDirty, onCancel, onSaved }: Props) {
  const text = useText()
  const notify = useNotify()
  const { api, create, edit, inputs: Fields, problemToast, checked } = definition
  const [rules] = useState(() => new Map<string, FieldRule>())
  const valuesOf = (of: Listed | undefined) =>
    (of === undefined ? create?.blank : edit?.values(of)) as Record<string, unknown>
  const form = useForm({
    defaultValues: valuesOf(record),
    resolver: resolverOf((record ? api.update : api.create).body, rules),
    mode: checked === 'on change' ? 'onChange' : 'onSubmit',
  })
  const { isDirty, isSubmitting } = form.formState
  useDraft(form, definition.name)
  const { notice, save } = useSave({ definition, form, record, valuesOf, onSaved })
  // A dialog renders in one piece with its content: the frame first, then the fields, deferred.
  const isFramed = useDeferredValue(true, false)

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

  const label = text((record ? edit : create)!.label)
  const submit = record ? text('grid.save') : text(create!.submit ?? create!.label)
  const sayInvalid = (errors: FieldErrors) => {
    const problem = messageIn(errors)
    if (problemToast && problem) notify(problem, { type: 'error' })
  }
  return (
    <FormProvider {...form}>
      <RecordContextProvider value={record}>
        <FormRules value={rules}>
          <DialogTitle id={titleId}>{label}</DialogTitle>
          <DialogContent dividers>
            <Box
              component="form"
              id={`${titleId}-form`}
              noValidate
              onKeyDown={(event) => {
                // Where lines end with Enter, nobody expects it to send the form (decisions §5).
                const writesLines = event.currentTarget.querySelector('textarea') !== null
                if (event.key === 'Enter' && event.target instanceof HTMLInputElement && writesLines)
                  event.preventDefault()
              }}
              onSubmit={(event) => {
                // A form in a dialog of another form would submit that one too.
                event.stopPropagation()
                void form.handleSubmit(save, sayInvalid)(event)
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
          <DialogActions sx={{ pt: 2 }}>
            <CancelButton onClick={onCancel} disabled={isSubmitting} />
            <Button type="submit" form={`${titleId}-form`} variant="contained" loading={isSubmitting}>
              {submit}
            </Button>
          </DialogActions>
        </FormRules>
      </RecordContextProvider>
    </FormProvider>
  )
}
