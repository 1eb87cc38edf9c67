import { expose } from 'comlink'

/** Sends the one request of the floor page. */
expose({
  async onlineUsers(): Promise<unknown> {
    const response = await fetch('/api/users/online/get')
    return ((await response.json()) as { onlineUsers: unknown }).onlineUsers
  },
})
