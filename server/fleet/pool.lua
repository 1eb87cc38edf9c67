-- One step of a pool: queue, home servers, matches and membership. All keys share the tag KEYS[1], so that a pool is on one
-- node of a cluster. ARGV: the name of the step, and its arguments as JSON. Returns the reply as JSON. queue.lua is put
-- before this file and defines what is not defined here.
local steps = {}
-- How long the claim of an open match is kept: regions that start at the same time read the same open matches.
local KEEP_CLAIM_MS = 3600000

function steps.join()
  if not isHome(a.user) then return end
  removeExpired(a.now)
  local earlier = entryOf(a.user)
  if earlier and earlier.state == 'opening' then return end
  removeFromLists(a.user)
  pairDue()
  call('DEL', key('blocked', a.user), key('met', a.user))
  addExclusions('blocked', a.user, a.blocked)
  addExclusions('met', a.user, a.met)
  enter(newEntry(earlier))
end

function steps.restore()
  if not isHome(a.user) then return end
  removeFromLists(a.user)
  unpair(a.user)
  persistExclusions(a.user)
  addExclusions('blocked', a.user, a.blocked)
  addExclusions('met', a.user, a.met)
  tick()
  enter(entryOfArguments())
end

function steps.hold()
  if not isHome(a.user) then return end
  unpair(a.user)
  persistExclusions(a.user)
  addExclusions('blocked', a.user, a.blocked)
  addExclusions('met', a.user, a.met)
  markAbsent(entryOfArguments())
end

function steps.drop()
  local entry = isHome(a.user) and entryOf(a.user)
  if entry and entry.state ~= 'opening' then markAbsent(entry) end
end

local function replyWith(entry)
  if entry then reply.since, reply.region, reply.apart = entry.since, entry.region, entry.apart end
end

-- An absent user is back, or a waiting user is in another region.
function steps.resume()
  tick()
  local entry = isHome(a.user) and entryOf(a.user)
  if not entry or entry.state == 'opening' or (entry.state == 'waiting' and entry.region == a.region) then return end
  removeFromLists(a.user)
  entry.region = a.region
  enter(entry)
  replyWith(waitingEntryOf(a.user))
end

function steps.leave()
  if isHome(a.user) then removeEntry(a.user) end
end

function steps.block()
  for _, both in ipairs({ { a.one, a.other }, { a.other, a.one } }) do
    if entryOf(both[1]) then call('SADD', key('blocked', both[1]), both[2]) end
  end
end

steps.tick = tick

function steps.find()
  local entry = entryOf(a.user)
  if entry and entry.state ~= 'opening' then replyWith(entry) end
end

-- Replies with the pairs that this server has not opened; the reply that contained them may have been lost.
function steps.unopened()
  for _, text in ipairs(call('HVALS', key('opening', a.self))) do
    local pair = cjson.decode(text)
    local isDue = true
    for _, entry in ipairs({ pair.caller, pair.callee }) do
      local found = call('HMGET', key('place', entry.user), 'state', 'pair')
      isDue = isDue and found[1] == 'opening' and found[2] == pair.caller.user
    end
    if isDue then
      reply.pairs = reply.pairs or {}
      table.insert(reply.pairs, pair)
    else
      call('HDEL', key('opening', a.self), pair.caller.user)
    end
  end
end

-- Returns this server; for a guest, a server of the pool that is no guest, or nil while there is none.
local function nextHome()
  if not isGuest(a.self) then return a.self end
  local servers = {}
  for _, server in ipairs(call('ZRANGEBYSCORE', SERVERS, exact(milliseconds()), '+inf')) do
    if not isGuest(server) then table.insert(servers, server) end
  end
  return servers[1 + microseconds() % math.max(1, #servers)]
end

-- Stores that this server has a connection of the user. Replies with the home server, whether the user had it before, and the
-- connection's number.
function steps.attach()
  local home = get(userKey(a.user), 'home')
  reply.known = home and call('ZSCORE', SERVERS, home) and true or false
  if not reply.known then
    home = nextHome()
    if not home then return end
    setHome(a.user, home)
  end
  call('HSET', userKey(a.user), 'at', a.self)
  if a.visit then call('HSET', userKey(a.user), 'visit', a.visit) end
  reply.home = home
  -- At least the time, so that a later connection has a greater number also when Redis has lost the earlier one.
  local order = math.max(microseconds(), tonumber(get(userKey(a.user), 'order') or '0') + 1)
  reply.order = string.format('%.0f', order)
  call('HSET', userKey(a.user), 'order', reply.order)
end

-- The user has a connection with this number in another region. Replies `refused` when this pool has a newer connection
-- of the user, and also `known` when the newer connection is of the same page. Otherwise, with `displace`, the user
-- leaves this pool; without `displace`, replies whether the user is in this pool.
function steps.meet()
  local found = call('HMGET', userKey(a.user), 'home', 'order', 'visit')
  local home = found[1]
  if not home then return end
  if tonumber(found[2] or '0') > a.order then
    reply.refused = true
    reply.known = found[3] == a.visit
  elseif a.displace then
    local entry = entryOf(a.user)
    if entry and entry.state ~= 'opening' then removeEntry(a.user) end
    -- As text: a number would be rounded to 14 digits.
    notify(home, { t = 'displaced', user = a.user, order = string.format('%.0f', a.order), visit = a.visit })
  else
    reply.taken = true
  end
end

-- If this is the number of the user's latest connection, this server has no connection of the user any more: the home
-- server may forget the user.
function steps.release()
  local found = call('HMGET', userKey(a.user), 'at', 'order')
  if found[1] == a.self and tonumber(found[2] or '0') == a.order then call('HDEL', userKey(a.user), 'at') end
end

-- Takes a user out of the queue, for a search in another region: a user who has waited for spillAfter or whose region
-- is thin. Refused when the user has a match.
function steps.spill()
  local entry = entryOf(a.user)
  if not entry then
    reply.refused = get(userKey(a.user), 'session') ~= nil
  elseif entry.state == 'waiting' and (entry.spills or hasWaited(entry, a.spillAfter)) then
    removeEntry(a.user)
    steps.release()
    reply.taken = true
  end
end

-- Takes a user without a match out of the queue, for a new search in the user's own region.
function steps.depart()
  local entry = entryOf(a.user)
  if get(userKey(a.user), 'session') or (entry and entry.state == 'opening') then return end
  removeEntry(a.user)
  steps.release()
  reply.taken = true
end

-- Stores again, in a Redis that has lost its data, the home users of this server and the users connected to it.
function steps.publishUsers()
  for _, user in ipairs(a.homes) do moveHome(user, a.self) end
  for _, user in ipairs(a.here) do call('HSET', userKey(user), 'at', a.self) end
end

-- This server stores nothing of the user any more.
function steps.forget()
  local at = get(userKey(a.user), 'at')
  if at and at ~= a.self and isAlive(at) then return end
  if get(userKey(a.user), 'home') ~= a.self or get(userKey(a.user), 'session') or entryOf(a.user) then return end
  call('SREM', key('homes', a.self), a.user)
  call('DEL', userKey(a.user))
end

local function storeMatch()
  call('HSET', key('session', a.id), 'caller', a.caller, 'callee', a.callee, 'startedAt', exact(a.startedAt),
    'connected', a.connected and 1 or 0, 'host', a.self)
  call('SADD', key('sessions', a.self), a.id)
  for _, user in ipairs({ a.caller, a.callee }) do
    moveHome(user, a.self)
    call('HSET', userKey(user), 'session', a.id)
  end
end

-- Refused when one of the two users is not paired for this match any more. A Redis that has lost the entries accepts
-- the match.
function steps.opened()
  for _, user in ipairs({ a.caller, a.callee }) do
    local found = call('HMGET', key('place', user), 'state', 'pair')
    if found[1] and (found[1] ~= 'opening' or found[2] ~= a.caller) then
      reply.refused = true
      return
    end
  end
  call('HDEL', key('opening', a.self), a.caller)
  for _, user in ipairs({ a.caller, a.callee }) do
    removeFromLists(user)
    call('DEL', key('place', user))
    call('PEXPIRE', key('blocked', user), KEEP_EXCLUSIONS_MS)
    call('PEXPIRE', key('met', user), KEEP_EXCLUSIONS_MS)
  end
  storeMatch()
end

-- Stores an open match again in a Redis that has lost its data.
function steps.publishMatch() storeMatch() end

-- Gives this server an open match of the store that no server has.
function steps.adoptOrphan()
  if call('EXISTS', key('session', a.id)) == 1 then return end
  for _, user in ipairs({ a.caller, a.callee }) do
    local entry = entryOf(user)
    if get(userKey(user), 'session') or (entry and entry.state == 'opening') then return end
  end
  storeMatch()
  reply.taken = true
end

-- Claims open matches for a region: those that no server of this pool has and no other region has claimed.
function steps.claim()
  reply.ids = {}
  for _, id in ipairs(a.ids) do
    if a.isOwn or call('EXISTS', key('session', id)) == 0 then
      call('SET', key('claim', id), a.region, 'NX', 'PX', KEEP_CLAIM_MS)
      if call('GET', key('claim', id)) == a.region then table.insert(reply.ids, id) end
    end
  end
end

function steps.connected()
  if call('EXISTS', key('session', a.id)) == 1 then call('HSET', key('session', a.id), 'connected', 1) end
end

function steps.ended()
  for _, user in ipairs(call('HMGET', key('session', a.id), 'caller', 'callee')) do
    if user and get(userKey(user), 'session') == a.id then call('HDEL', userKey(user), 'session') end
  end
  call('SREM', key('sessions', a.self), a.id)
  call('DEL', key('session', a.id))
end

function steps.renew()
  local now = milliseconds()
  reply.state = call('ZSCORE', SERVERS, a.self) and 'known' or 'new'
  if reply.state == 'new' then
    for _, server in ipairs(call('ZRANGE', SERVERS, 0, -1)) do notify(server, { t = 'joined', server = a.self }) end
  end
  call('ZADD', SERVERS, exact(now + a.expiry), a.self)
  if call('EXISTS', key('to', a.self)) == 0 then call('XADD', key('to', a.self), '*', 'h', '1') end
  -- A changed epoch means that Redis has lost data: all of it, or the last writes when a replica took over.
  call('SETNX', P .. ':epoch', a.self .. ' ' .. exact(now))
  reply.epoch = call('GET', P .. ':epoch') .. ' ' .. replicationId()
  reply.servers = call('ZRANGE', SERVERS, 0, -1)
  reply.retired = call('ZRANGEBYSCORE', SERVERS, 0, 0)
  reply.expired = call('ZRANGEBYSCORE', SERVERS, '(0', exact(now))
end

-- This server leaves in order: the next server that renews takes over its users and matches.
function steps.retire()
  if call('ZSCORE', SERVERS, a.self) then call('ZADD', SERVERS, 0, a.self) end
end

-- Takes over a part of the matches and users of a dead server. Replies whether there is more.
function steps.takeOver()
  local dead = a.dead
  if not call('ZSCORE', SERVERS, dead) or isAlive(dead) then return end
  for _, id in ipairs(call('SRANDMEMBER', key('sessions', dead), 100)) do
    local found = call('HMGET', key('session', id), 'caller', 'callee', 'startedAt', 'connected')
    if found[1] then
      local host = a.self
      for _, user in ipairs({ found[2], found[1] }) do
        local at = get(userKey(user), 'at')
        if at and at ~= dead and isAlive(at) and not isGuest(at) then host = at end
      end
      call('HSET', key('session', id), 'host', host)
      call('SADD', key('sessions', host), id)
      for _, user in ipairs({ found[1], found[2] }) do setHome(user, host) end
      notify(host, { t = 'adopt', id = id, caller = found[1], callee = found[2], startedAt = tonumber(found[3]), connected = found[4] == '1' })
    end
    call('SREM', key('sessions', dead), id)
  end
  if call('SCARD', key('sessions', dead)) == 0 then
    for _, user in ipairs(call('SRANDMEMBER', key('homes', dead), 300)) do
      local entry = entryOf(user)
      if entry then
        call('HDEL', key('place', user), 'pair')
        markAbsent(entry)
      end
      local at = get(userKey(user), 'at')
      if at and at ~= dead and isAlive(at) then
        setHome(user, isGuest(at) and a.self or at)
      else
        call('DEL', userKey(user))
      end
      call('SREM', key('homes', dead), user)
    end
  end
  if call('SCARD', key('sessions', dead)) + call('SCARD', key('homes', dead)) > 0 then
    reply.more = true
    return
  end
  local now = milliseconds()
  call('ZREM', SERVERS, dead)
  call('ZADD', DEAD, exact(now), dead)
  call('ZREMRANGEBYSCORE', DEAD, '-inf', exact(now - KEEP_DEAD_MS))
  call('DEL', key('to', dead), key('opening', dead), key('homes', dead), key('sessions', dead))
end

-- The first server that finds no live ticker becomes the ticker. The ticker is notified of a tick that is due before
-- the next tick that it knows of. A server that stops (`yields`) is the ticker no longer.
local function shareTick()
  local ticker = get(TICKER, 'server')
  if a.yields then
    if ticker == a.self then call('DEL', TICKER) end
    return
  end
  if ticker ~= a.self and not (ticker and isAlive(ticker)) then
    call('HSET', TICKER, 'server', a.self)
    ticker = a.self
  end
  reply.ticks = ticker == a.self
  local known = tonumber(get(TICKER, 'due') or math.huge)
  if reply.ticks and not reply.next then
    call('HDEL', TICKER, 'due')
  elseif reply.next and (reply.ticks or reply.next < known) then
    call('HSET', TICKER, 'due', exact(reply.next))
    if not reply.ticks then notify(ticker, { t = 'open' }) end
  end
end

if a.self and call('ZSCORE', DEAD, a.self) then return '{"state":"dead"}' end
if a.seed then math.randomseed(a.seed) end
steps[ARGV[1]]()
if a.relaxAfter then
  local function due(list, after)
    local user, since = firstOf(list)
    if user then reply.next = math.min(reply.next or math.huge, since + after) end
  end
  local isRegion, regionCount, partCount = {}, 0, 0
  for _, apart in ipairs({ false, true }) do
    local regions = regionsExcept(nil, apart)
    if #regions > 0 then partCount = partCount + 1 end
    for _, region in ipairs(regions) do
      due(listsOf(region, apart)[2], a.relaxAfter)
      if not isRegion[region] then regionCount = regionCount + 1 end
      isRegion[region] = true
    end
  end
  if regionCount > 1 then due(LOCAL, a.spillAfter) end
  if partCount > 1 then due(MIXED, a.apartAfter) end
  due(LANGUAGE, a.languageAfter)
  due(ANYBODY, math.max(a.anybodyAfter, a.languageAfter))
  if a.self then shareTick() end
end
return cjson.encode(reply)
