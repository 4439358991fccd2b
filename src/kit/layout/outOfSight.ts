/** Skips layout and paint of off-screen rows (`content-visibility`). */
export const OUT_OF_SIGHT = { contentVisibility: 'auto', containIntrinsicBlockSize: 'auto 53px' } as const
