import DeleteRounded from '@mui/icons-material/DeleteRounded'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'

import { groupsApi } from '#contract/groups/api.ts'
import type { Group } from '#contract/groups/schema.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { PeopleInput } from '#src/shared/PeopleInput.tsx'
import { OUT_OF_SIGHT } from '#src/shared/outOfSight.ts'
import { PersonLine } from '#src/shared/PersonLine.tsx'
import { usePeople } from '#providers/people.ts'

function GroupDetail({ record: group }: { record: Group }) {
  const text = useText()
  const { byEmail, nameOf } = usePeople()
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}>
      {group.description && (
        <Box sx={{ maxWidth: 720 }}>
          <PlainText text={group.description} />
        </Box>
      )}
      <Box
        component="dl"
        sx={{
          m: 0,
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 4,
          rowGap: 1,
          '& dt': { fontSize: '0.8125rem', color: 'text.secondary' },
          '& dd': { m: 0 },
        }}
      >
        <div>
          <dt>{text('groups.createdBy')}</dt>
          <dd dir="auto">{nameOf(group.createdBy)}</dd>
        </div>
        <div>
          <dt>{text('groups.updated')}</dt>
          <dd>
            <Time at={group.updateTimestamp} />
          </dd>
        </div>
      </Box>
      <Box component="section">
        <Typography variant="h3" sx={{ mb: 1 }}>
          {text('groups.members', { smart_count: group.userIds.length })}
        </Typography>
        <Box
          component="ul"
          sx={{
            m: 0,
            p: 0,
            listStyle: 'none',
            '& > li': { py: 1, ...OUT_OF_SIGHT },
            '& > li + li': { borderTop: 1, borderColor: 'divider' },
          }}
        >
          {group.userIds.map((email) => (
            <li key={email}>
              <PersonLine email={email} user={byEmail.get(email)} withRole />
            </li>
          ))}
        </Box>
      </Box>
    </Box>
  )
}

const GroupInputs = ({ inputs: { TextInput } }: InputsOf<typeof groupsApi>) => (
  <>
    <TextInput source="name" label="groups.name" required autoFocus />
    <TextInput source="description" label="groups.description" lines={3} />
    <PeopleInput source="userIds" label="groups.members" empty="groups.noMembers" />
  </>
)

/** Groups (administration §2.1). */
export const groups = defineResource({
  layout: 'side list',
  title: 'groups.title',
  api: groupsApi,
  line: (group, text) => text('groups.count', { smart_count: group.userIds.length }),
  detail: GroupDetail,
  columns: [
    { field: 'name', label: 'groups.name' },
    { field: 'description', label: 'groups.description' },
    { field: 'userIds', label: 'groups.memberEmails', text: ({ userIds }) => userIds.join(', ') },
    { field: 'createdBy', label: 'groups.createdBy' },
    { field: 'updateTimestamp', label: 'groups.updated' },
  ],
  sort: ['name', 'ASC'],
  search: 'groups.search',
  empty: 'groups.empty',
  inputs: GroupInputs,
  create: {
    label: 'groups.create',
    blank: { name: '', description: null, userIds: [] },
    done: 'groups.createdToast',
  },
  edit: {
    label: 'groups.edit',
    values: ({ name, description, userIds, version }) => ({ name, description, userIds, version }),
    done: 'groups.updatedToast',
  },
  actions: [
    {
      call: 'remove',
      label: 'groups.remove',
      icon: DeleteRounded,
      destructive: true,
      confirm: { title: 'groups.removeTitle', text: 'groups.removeText' },
      done: 'groups.removed',
      failed: 'groups.notRemoved',
    },
  ],
})
