import DownloadRounded from '@mui/icons-material/DownloadRounded'
import RefreshRounded from '@mui/icons-material/RefreshRounded'
import IconButton from '@mui/material/IconButton'
import { fetchRelatedRecords, useDataProvider, useIsMounted, useListContext, useNotify } from 'react-admin'
import { useState } from 'react'

import type { Download, Endpoint } from '#contract/kit/endpoint.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'

import { saveFile } from '../browser/saveFile.ts'
import type { AnyDefinition, Listed } from './resource.ts'
import { RefreshButton } from '../list/RefreshButton.tsx'
import { useText } from '../useText.ts'

const turning = {
  '@keyframes turn': { to: { rotate: '360deg' } },
  animation: 'turn 800ms linear infinite',
}

/** Saves what the list's filter finds: the server's own file where it makes one, otherwise by the list's exporter. */
function useExport(definition: AnyDefinition) {
  const text = useText()
  const notify = useNotify()
  const dataProvider = useDataProvider()
  const { exporter, getData, resource, sort, filter, filterValues } = useListContext<Listed>()
  const [isExporting, setExporting] = useState(false)
  const isMounted = useIsMounted()

  const saveServersFile = async (endpoint: Endpoint & { reply: Download }) => {
    const query = {
      sort: JSON.stringify([sort.field, sort.order]),
      filter: JSON.stringify({ ...filterValues, ...filter }),
    }
    const { blob, fileName } = await call(endpoint, { query })
    if (isMounted.current) saveFile(blob, fileName)
  }
  const saveRecords = async () => {
    const records = (await getData?.()) ?? []
    if (exporter && isMounted.current)
      await exporter(records, fetchRelatedRecords(dataProvider), dataProvider, resource)
  }
  const save = async () => {
    setExporting(true)
    try {
      const file = 'file' in definition && definition.file
      await (file ? saveServersFile(definition.api[file]) : saveRecords())
    } catch (error) {
      notify(messageOf(error, text('grid.notExported')), { type: 'error' })
    } finally {
      setExporting(false)
    }
  }
  return { isExporting, save }
}

interface Props {
  definition: AnyDefinition
  /** Hides the export of an empty list. */
  isEmpty: boolean
}

/** The buttons of every list: CSV export and refresh. */
export function ListButtons({ definition, isEmpty }: Props) {
  const text = useText()
  const { refetch, isFetching } = useListContext()
  const { isExporting, save } = useExport(definition)
  return (
    <>
      {!isEmpty && (
        <IconButton
          title={text('grid.export')}
          aria-label={text('grid.export')}
          loading={isExporting}
          onClick={() => void save()}
          sx={{ color: 'text.secondary' }}
        >
          <DownloadRounded />
        </IconButton>
      )}
      {'refreshRests' in definition && definition.refreshRests ? (
        <RefreshButton resource={definition.name} onRefresh={() => void refetch()} />
      ) : (
        <IconButton
          title={text('grid.refresh')}
          aria-label={text('grid.refresh')}
          onClick={() => void refetch()}
          sx={{ color: 'text.secondary' }}
        >
          <RefreshRounded sx={isFetching ? turning : {}} />
        </IconButton>
      )}
    </>
  )
}
