import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Link from '@mui/material/Link'
import { useMemo } from 'react'
import { type Control, Controller } from 'react-hook-form'
import { Link as RouterLink } from 'react-router-dom'

import { groupsApi } from '#contract/groups/api.ts'
import { useCan } from '#providers/useCan.ts'
import { useText } from '#src/kit/useText.ts'

import { ChoiceList } from './ChoiceList.tsx'
import { ContactPicker } from './ContactPicker.tsx'
import { type Draft, useContactLists, useNotifiableGroups } from './queries.ts'
import type { NotificationSubject } from './subject.ts'

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

/** Offers the people who have not checked in to the running incident. */
function WaitingField({ control, about: { id, title, isTabletop } }: Props & { about: NotificationSubject }) {
  const text = useText()
  return (
    <Controller
      control={control}
      name="waitingIncidentId"
      render={({ field }) => (
        <FormControlLabel
          control={
            <Checkbox
              slotProps={{ input: { ref: field.ref } }}
              checked={field.value !== null}
              onChange={(_, isChecked) => field.onChange(isChecked ? id : null)}
            />
          }
          label={
            <>
              <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
                {text('massNotifications.notCheckedIn')}
              </Box>
              <Box component="span" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                {isTabletop && `${text('asked.exercise')} `}
                <bdi>{title}</bdi>
              </Box>
            </>
          }
          sx={{ alignItems: 'flex-start', mr: 0, '& .MuiCheckbox-root': { mt: -0.75 } }}
        />
      )}
    />
  )
}

/** The recipients: those who have not checked in, lists, single contacts, and groups if the organisation uses them (administration §6). */
export function RecipientFields({
  control,
  withGroups,
  about,
}: Props & { withGroups: boolean; about: NotificationSubject | null }) {
  return (
    <>
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
    </>
  )
}
