import CampaignRounded from '@mui/icons-material/CampaignRounded'
import Box from '@mui/material/Box'
import { memo, Suspense } from 'react'

import type { Activity, ChildActivity } from '#contract/incidents/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { ActivityActions } from './ActivityActions.tsx'
import { ActivityFiles } from './ActivityFiles.tsx'
import { ActivityForm } from './ActivityForm.tsx'
import { FromChat } from './FromChat.tsx'
import { useOpenForm } from '../form/OpenForm.tsx'
import { useChangeActivity, useIncident } from '../queries.ts'

const ConfirmationBar = lazy(async () => ({
  default: (await import('#src/confirmations/ConfirmationBar.tsx')).ConfirmationBar,
}))

const ROWS = 5

interface Props {
  incidentId: string
  update: Activity | ChildActivity
  /** Name of the author. */
  author: string
}

/** Form in place of an update. */
function Changing({ incidentId, update }: Omit<Props, 'author'>) {
  const text = useText()
  const { close, setDirty } = useOpenForm()
  const change = useChangeActivity(incidentId, update.id)
  const { refetch } = useIncident(incidentId)
  const latest = async () => {
    const { data } = await refetch()
    return data?.activities
      .flatMap((activity) => [activity, ...activity.childActivities])
      .find(({ id }) => id === update.id)
  }
  return (
    <ActivityForm
      kind={update.parentActivityId === null ? 'UPDATE' : 'BELOW'}
      name={`edit ${update.id}`}
      incidentId={incidentId}
      written={update}
      inline
      submitLabel={text('incidents.save')}
      onSave={(fields, version) =>
        change.mutateAsync({ id: update.id, changes: { ...fields, ...(version && { version }) } })
      }
      onReload={latest}
      onClose={close}
      onDirty={setDirty}
    />
  )
}

/** An update of the incident or of a task, with author and time. */
export const UpdateItem = memo(function UpdateItem({ incidentId, update, author }: Props) {
  const text = useText()
  const { open } = useOpenForm()
  const title = 'title' in update ? update.title : ''
  if (open === `edit ${update.id}`) return <Changing incidentId={incidentId} update={update} />
  const edited = update.version > 1
  const own = update.parentActivityId === null
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: `${own ? '20px ' : ''}minmax(0, 1fr) auto`,
        columnGap: 1,
        py: 0.5,
        '& > [data-part]': { gridColumn: own ? '2 / -1' : '1 / -1' },
      }}
    >
      {own && <CampaignRounded sx={{ color: 'text.secondary', mt: 0.75 }} />}
      <Box sx={{ minWidth: 0, pt: 0.5, overflowWrap: 'anywhere' }}>
        {title && (
          <Box dir="auto" sx={{ fontWeight: 600 }}>
            {title}
          </Box>
        )}
        <Box sx={{ fontSize: '0.75rem', lineHeight: title ? 1.5 : '26px', color: 'text.secondary' }}>
          {author} · <Time at={update.createTimestamp} clock />
          {edited && ` · ${text('incidents.edited')}`}
          {'message' in update && <FromChat message={update.message} />}
        </Box>
      </Box>
      <ActivityActions incidentId={incidentId} activity={update} kind="update" title={title}>
        <div data-part="text">
          <PlainText text={update.description} rows={ROWS} />
        </div>
        <div data-part="confirmation">
          <Suspense>
            <ConfirmationBar place="INCIDENT" id={incidentId} subjectId={update.id} />
          </Suspense>
        </div>
        {update.attachedFileIds.length > 0 && (
          <Box data-part="files" sx={{ mt: 0.75 }}>
            <ActivityFiles ids={update.attachedFileIds} />
          </Box>
        )}
      </ActivityActions>
    </Box>
  )
})
