import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Link from '@mui/material/Link'
import { type Ref, Suspense, useMemo } from 'react'
import { type Control, Controller, useController, useWatch } from 'react-hook-form'
import { Link as RouterLink } from 'react-router-dom'

import { groupsApi } from '#contract/groups/api.ts'
import { STANDING_LABELS } from '#contract/notification-questions/rules.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import { ChoiceList } from './ChoiceList.tsx'
import { ContactPicker } from './ContactPicker.tsx'
import { type Draft, useContactLists, useNotifiableGroups } from './queries.ts'
import type { FollowedNotification, NotificationSubject } from './subject.ts'

const OrderField = lazy(async () => ({ default: (await import('./OrderField.tsx')).OrderField }))

interface Props {
  control: Control<Draft>
}

function ListsField({ control }: Props) {
  const text = useText()
  const { data, error, refetch } = useContactLists()
  const choices = useMemo(
    () =>
      data?.map(({ name, count }) => ({
        id: name,
        name,
        note: text('massNotifications.contactCount', { smart_count: count }),
      })),
    [data, text],
  )
  return (
    <Controller
      control={control}
      name="contactListIds"
      render={({ field, fieldState }) => (
        <ChoiceList
          label={text('massNotifications.contactLists')}
          choices={choices}
          failed={
            error
              ? { text: text('massNotifications.listsNotLoaded'), retry: () => void refetch() }
              : undefined
          }
          filterLabel={text('massNotifications.filterLists')}
          empty={
            <>
              {text('massNotifications.noListsYet')}{' '}
              <Link component={RouterLink} to="/mass-notifications/contacts" underline="always">
                {text('massNotifications.importContacts')}
              </Link>
            </>
          }
          value={field.value}
          onChange={field.onChange}
          inputRef={field.ref}
          error={fieldState.error?.message}
        />
      )}
    />
  )
}

function GroupsField({ control }: Props) {
  const text = useText()
  const can = useCan()
  const manages = can(groupsApi.list.access)
  const { data, error, refetch } = useNotifiableGroups(true)
  const choices = useMemo(
    () =>
      data?.map(({ id, name, userCount, userPhoneCount, canAccess }) => ({
        id,
        name,
        disabled: !canAccess,
        note: canAccess
          ? text(
              userPhoneCount < userCount ? 'massNotifications.userPhoneCount' : 'massNotifications.userCount',
              { smart_count: userCount, phones: userPhoneCount },
            )
          : text('massNotifications.notYours'),
      })),
    [data, text],
  )
  return (
    <Controller
      control={control}
      name="groupIds"
      render={({ field, fieldState }) => (
        <ChoiceList
          label={text('massNotifications.groups')}
          side={
            manages && (
              <Link component={RouterLink} to="/groups">
                {text('massNotifications.manageGroups')}
              </Link>
            )
          }
          choices={choices}
          failed={
            error
              ? { text: text('massNotifications.groupsNotLoaded'), retry: () => void refetch() }
              : undefined
          }
          filterLabel={text('massNotifications.filterGroups')}
          goneName={text('massNotifications.group')}
          empty={text('massNotifications.noGroupsYet')}
          value={field.value}
          onChange={field.onChange}
          inputRef={field.ref}
          error={fieldState.error?.message}
        />
      )}
    />
  )
}

interface PeopleProps {
  label: string
  /** The incident or notification. */
  title: string
  isExercise: boolean
  checked: boolean
  onChange: (isChecked: boolean) => void
  inputRef: Ref<HTMLInputElement>
}

/** Offers the people of an incident or of an earlier notification. */
function PeopleField({ label, title, isExercise, checked, onChange, inputRef }: PeopleProps) {
  const text = useText()
  return (
    <FormControlLabel
      control={
        <Checkbox
          slotProps={{ input: { ref: inputRef } }}
          checked={checked}
          onChange={(_, isChecked) => onChange(isChecked)}
        />
      }
      label={
        <>
          <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
            {label}
          </Box>
          <Box component="span" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {isExercise && `${text('asked.exercise')} `}
            <bdi>{title}</bdi>
          </Box>
        </>
      }
      sx={{ alignItems: 'flex-start', mr: 0, '& .MuiCheckbox-root': { mt: -0.75 } }}
    />
  )
}

/** Offers the people of an earlier notification by their state in its question. */
function FollowUpField({ control, followed }: Props & { followed: FollowedNotification }) {
  const { notification, standing } = followed
  const { id, title, isExercise } = notification
  return (
    <Controller
      control={control}
      name="followUp"
      render={({ field }) => (
        <PeopleField
          label={STANDING_LABELS[standing]}
          title={title ?? ''}
          isExercise={isExercise}
          checked={Boolean(field.value)}
          onChange={(isChecked) => field.onChange(isChecked ? { notificationId: id, standing } : null)}
          inputRef={field.ref}
        />
      )}
    />
  )
}

/** Offers the people who have not checked in to the running incident, and with them those who have. */
function WaitingField({ control, about: { id, title, isTabletop } }: Props & { about: NotificationSubject }) {
  const text = useText()
  const { field: team } = useController({ control, name: 'withCheckedIn' })
  const isChosen = useWatch({ control, name: 'waitingIncidentId' }) !== null
  return (
    <div>
      <Controller
        control={control}
        name="waitingIncidentId"
        render={({ field }) => (
          <PeopleField
            label={text('massNotifications.notCheckedIn')}
            title={title}
            isExercise={isTabletop}
            checked={field.value !== null}
            onChange={(isChecked) => field.onChange(isChecked ? id : null)}
            inputRef={field.ref}
          />
        )}
      />
      {isChosen && (
        <FormControlLabel
          control={
            <Checkbox
              slotProps={{ input: { ref: team.ref } }}
              // Drafts of earlier releases lack it.
              checked={team.value ?? false}
              onChange={(_, isChecked) => team.onChange(isChecked)}
            />
          }
          label={text('massNotifications.withCheckedIn')}
          sx={{ ml: 2.5, minHeight: 44 }}
        />
      )}
    </div>
  )
}

const isOneGroup = (draft: Draft): boolean => {
  const { contactListIds, contactIds, groupIds, waitingIncidentId, followUp } = draft
  return (
    groupIds.length === 1 &&
    contactListIds.length + contactIds.length === 0 &&
    waitingIncidentId === null &&
    !followUp
  )
}
/** Offers to ask in order where the only recipients are a group with one. */
function InOrderField({ control }: { control: Control<Draft> }) {
  const isAlone = useWatch({ control, compute: isOneGroup })
  const [id] = useWatch({ control, name: 'groupIds' })
  const isAsked = useWatch({
    control,
    compute: ({ question, inOrderMinutes }: Draft) => Boolean(question ?? inOrderMinutes),
  })
  const { data: groups } = useNotifiableGroups(isAlone)
  const isOrdered = isAlone && groups?.find((group) => group.id === id)?.isOrdered === true
  return <Suspense>{isOrdered && isAsked && <OrderField control={control} />}</Suspense>
}

/** The recipients: those who have not checked in, lists, single contacts, and groups if the organisation uses them (administration §6). */
export function RecipientFields({
  control,
  withGroups,
  about,
  followed,
}: Props & {
  withGroups: boolean
  about: NotificationSubject | null
  followed: FollowedNotification | null
}) {
  return (
    <>
      {followed && <FollowUpField control={control} followed={followed} />}
      {about && <WaitingField control={control} about={about} />}
      <ListsField control={control} />
      <Controller
        control={control}
        name="contactIds"
        render={({ field, fieldState }) => (
          <ContactPicker
            value={field.value}
            onChange={field.onChange}
            inputRef={field.ref}
            error={fieldState.error?.message}
          />
        )}
      />
      {withGroups && <GroupsField control={control} />}
      {withGroups && <InOrderField control={control} />}
    </>
  )
}
