import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { Controller, type FieldErrors, useForm, type UseFormReturn } from 'react-hook-form'

import { NAME_TAKEN, NewRoom, type Room, type RoomKind } from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { resolverFromProblems } from '#src/kit/form/formRules.ts'
import type { Leaves } from '#src/kit/browser/navigation.ts'
import { FormTextField } from '#src/kit/form/FormTextField.tsx'
import { messageIn } from '#src/kit/form/formRules.ts'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useDraft } from '#src/kit/form/useDraft.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { UserPicker } from './UserPicker.tsx'

interface Draft {
  name: string
  description: string
  people: readonly NamedPerson[]
}
const BLANK: Draft = { name: '', description: '', people: [] }
const FIELDS = { name: 'name', description: 'description', userIds: 'people' } as const

function bodyOf(kind: RoomKind, { name, description, people }: Draft) {
  const userIds = people.map(({ uuid }) => uuid)
  return kind === 'DIRECT_MESSAGE' ? { kind, userIds } : { kind, name, description, userIds }
}
const fieldOf = (path: string): keyof Draft | undefined => {
  const [first = ''] = path.split('.')
  return first in FIELDS ? FIELDS[first as keyof typeof FIELDS] : undefined
}

function problemsOf(kind: RoomKind, draft: Draft): FieldErrors<Draft> {
  const problems: Record<string, { type: string; message: string }> = {}
  for (const { path, message } of NewRoom.safeParse(bodyOf(kind, draft)).error?.issues ?? []) {
    const field = fieldOf(String(path[0]))
    if (field) problems[field] ??= { type: 'rule', message }
  }
  return problems
}

/** Includes the choice of another chat, which is another address. */
const anyNavigation: Leaves = (from, to) => from.pathname !== to.pathname || from.search !== to.search

/** Creates the room. A refusal is shown at its field, or above the buttons, and the input stays. */
function useCreate(kind: RoomKind, form: UseFormReturn<Draft>, onDone: (room: Room) => void) {
  const chat = useChat()
  const text = useText()
  const [problem, setProblem] = useState<string>()
  const refuse = (error: unknown) => {
    const { status, body } = error instanceof HttpProblem ? error : { status: 0, body: {} }
    const isTaken = status === 409 && kind !== 'DIRECT_MESSAGE'
    const fields = Object.entries(body.fields ?? (isTaken ? { name: NAME_TAKEN } : {}))
    const known = fields.flatMap(([path, message]) => {
      const field = fieldOf(path)
      return field ? [{ field, message }] : []
    })
    for (const { field, message } of known)
      form.setError(field, { type: 'server', message }, { shouldFocus: field === known[0]!.field })
    if (known.length === 0) setProblem(messageOf(error, text('kit.wentWrong')))
  }
  const create = async (draft: Draft) => {
    setProblem(undefined)
    try {
      const body = NewRoom.parse(bodyOf(kind, draft))
      onDone(await chat.take((provider) => provider.createRoom(body)))
    } catch (error) {
      refuse(error)
    }
  }
  const { busy, submit } = useSubmitOnce(() => form.handleSubmit(create)())
  return { busy, submit, problem }
}

interface FieldsProps {
  kind: RoomKind
  form: UseFormReturn<Draft>
}

function Fields({ kind, form: { control, register, formState } }: FieldsProps) {
  const text = useText()
  const isDirect = kind === 'DIRECT_MESSAGE'
  const { errors } = formState
  return (
    <>
      {!isDirect && (
        <>
          <FormTextField
            label={text('chatRooms.name')}
            field={register('name')}
            problem={errors.name?.message}
            autoComplete="off"
            autoFocus
            inputProps={{ dir: 'auto', 'aria-required': true }}
          />
          <FormTextField
            label={`${text('chatRooms.description')} (${text('chatRooms.optional').toLowerCase()})`}
            field={register('description')}
            problem={errors.description?.message}
            autoComplete="off"
            inputProps={{ dir: 'auto' }}
            multiline
            minRows={2}
            maxRows={8}
          />
        </>
      )}
      <Controller
        control={control}
        name="people"
        render={({ field }) => (
          <UserPicker
            label={
              isDirect
                ? text('chatRooms.recipients')
                : `${text('chatRooms.members')} (${text('chatRooms.optional').toLowerCase()})`
            }
            value={field.value}
            onChange={field.onChange}
            onBlur={field.onBlur}
            inputRef={field.ref}
            problem={messageIn(errors.people)}
            autoFocus={isDirect}
          />
        )}
      />
    </>
  )
}

interface Props {
  kind: RoomKind
  onCreated: (room: Room) => void
  onCancel: () => void
}

function Form({ kind, onCreated, onCancel }: Props) {
  const text = useText()
  const titleId = useId()
  const form = useForm<Draft>({
    defaultValues: BLANK,
    resolver: resolverFromProblems((values) => problemsOf(kind, values)),
  })
  const { isDirty } = form.formState
  useDraft(form, `new chat ${kind}`)
  const { guard, letGo, leave } = useLeaveGuard(isDirty, {
    leaves: anyNavigation,
    question: 'chatRooms.discardText',
    stay: 'grid.keepEditing',
  })
  const { busy, submit, problem } = useCreate(kind, form, (room) => {
    letGo()
    onCreated(room)
  })
  return (
    <Box sx={{ flex: 1, minWidth: 0, minHeight: 0, overflowY: 'auto', px: { xs: 2, md: 4 }, py: 3 }}>
      <Box
        component="form"
        noValidate
        aria-labelledby={titleId}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5, maxWidth: 560 }}
      >
        <div>
          <Typography id={titleId} variant="h2">
            {text(`chatRooms.create.${kind}`)}
          </Typography>
          <Typography sx={{ mt: 0.5, color: 'text.secondary' }}>{text(`chatRooms.about.${kind}`)}</Typography>
        </div>
        <Fields kind={kind} form={form} />
        {problem && <Alert severity="error">{problem}</Alert>}
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
          <Button color="inherit" onClick={() => leave(onCancel)} disabled={busy}>
            {text('kit.cancel')}
          </Button>
          <SubmitButton
            label={text('chatRooms.submit')}
            busyLabel={text('chatRooms.submitting')}
            busy={busy}
          />
        </Box>
      </Box>
      {guard}
    </Box>
  )
}

/** Creates a war room, a breakout room or a direct message (operations §2, §5 "Rooms"). */
export const NewChatForm = (props: Props) => <Form key={props.kind} {...props} />
