import { page } from 'vitest/browser'
import { ProfilePopup } from '../../../src/account/screens/profile-popup.tsx'
import { TopBar } from '../../../src/ui/frame/top-bar.tsx'
import { fakeStores } from './fake-stores.ts'
import type { World } from './fake-world.ts'
import { render } from './render.tsx'

/** Renders the top bar of a signed-in user and opens the profile popup. */
export async function openProfilePopup(world?: Partial<World>) {
  const fake = fakeStores(world)
  await fake.signIn()
  render(
    fake.stores,
    <TopBar>
      <ProfilePopup />
    </TopBar>,
  )
  await page.getByRole('button', { name: 'Hi, Ada' }).click()
  return fake
}
