import { useListContext } from 'react-admin'

import { type Listing, sizesOf } from './listAddress.ts'
import { Pager } from '../list/Pager.tsx'

/** The pager of the list around it. */
export function ListPager({ listing, phone }: { listing: Listing; phone: boolean }) {
  const { page, perPage, total = 0, setPage, setPerPage, meta } = useListContext()
  const sizes = sizesOf(listing).toSorted((a, b) => a - b)
  return (
    <Pager
      {...{ page, perPage, total, setPage, setPerPage, sizes, phone }}
      isMinimum={meta?.totalIsMinimum === true}
    />
  )
}
