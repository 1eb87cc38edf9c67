-- One step of a pool: who waits, who is at home where, who is in which session. All keys share the tag of KEYS[1], so that
-- a cluster keeps a pool on one node. ARGV: the step, and its arguments as JSON. The answer is JSON.
local P = KEYS[1]
local a = cjson.decode(ARGV[2])
local call = redis.call

local function key(kind, id) return P .. ':' .. kind .. ':' .. id end
local RELAXED, RECENT, ABSENT, SERVERS, DEAD = P .. ':relaxed', P .. ':recent', P .. ':absent', P .. ':servers', P .. ':dead'
local function exact(number) return string.format('%.17g', number) end
local function userOf(id) return key('user', id) end
local function get(hash, field) local found = call('HGET', hash, field) return found or nil end
-- Long after any match has been opened or given up, the exclusions of those in it are of no use.
local KEEP_EXCLUSIONS_MS = 120000
local answer = {}

local function notify(server, notice) call('XADD', key('to', server), '*', 'n', cjson.encode(notice)) end

local function settleAt(user, home)
  local earlier = get(userOf(user), 'home')
  if earlier == home then return earlier end
  if earlier then call('SREM', key('homes', earlier), user) end
  call('HSET', userOf(user), 'home', home)
  call('SADD', key('homes', home), user)
  return earlier
end

-- Whether this server may move the user; whoever has no home is at home where they are first spoken of.
local function isMine(user)
  local home = get(userOf(user), 'home')
  if not home and a.self then settleAt(user, a.self) end
  return not home or home == a.self
end

local function placeOf(user)
  local found = call('HMGET', key('place', user), 'since', 'lot', 'state')
  if not found[1] then return nil end
  return { user = user, since = tonumber(found[1]), lot = tonumber(found[2]), state = found[3] }
end

local function takeOut(user)
  call('ZREM', RELAXED, user)
  call('ZREM', RECENT, user)
  call('ZREM', ABSENT, user)
end

local function remove(user)
  takeOut(user)
  call('DEL', key('place', user), key('blocked', user), key('met', user))
end

local function expire(now)
  for _, user in ipairs(call('ZRANGEBYSCORE', ABSENT, '-inf', exact(now))) do remove(user) end
end

local function put(place, state)
  call('HSET', key('place', place.user), 'since', exact(place.since), 'lot', exact(place.lot), 'state', state)
end

local function contains(set, names)
  if call('EXISTS', set) == 0 then return nil end
  return call('SMISMEMBER', set, unpack(names))
end

local function partnerFor(place, isRelaxed)
  local lastChoice
  local blocked, met = key('blocked', place.user), key('met', place.user)
  for _, line in ipairs({ RELAXED, RECENT }) do
    local from = 0
    while true do
      local names = call('ZRANGE', line, from, from + 63)
      if #names == 0 then break end
      local areBlocked, areMet = contains(blocked, names), contains(met, names)
      for index, name in ipairs(names) do
        if not (areBlocked and areBlocked[index] == 1) and call('SISMEMBER', key('blocked', name), place.user) == 0 then
          if not (areMet and areMet[index] == 1) and call('SISMEMBER', key('met', name), place.user) == 0 then return name end
          if isRelaxed or line == RELAXED then lastChoice = lastChoice or name end
        end
      end
      from = from + 64
    end
  end
  return lastChoice
end

-- The server that asks is host to the match: both are at home there from now on, and their earlier homes are told.
local function pair(one, other)
  local isCaller = math.random() < 0.5
  local caller, callee = one, other
  if not isCaller then caller, callee = other, one end
  answer.pairs = answer.pairs or {}
  local made = {
    caller = { user = caller.user, since = caller.since, lot = caller.lot },
    callee = { user = callee.user, since = callee.since, lot = callee.lot },
  }
  table.insert(answer.pairs, made)
  for _, place in ipairs({ caller, callee }) do
    put(place, 'opening')
    call('HSET', key('place', place.user), 'pair', caller.user)
    local earlier = settleAt(place.user, a.self)
    if earlier and earlier ~= a.self then notify(earlier, { t = 'move', user = place.user, to = a.self }) end
  end
  call('HSET', key('opening', a.self), caller.user, cjson.encode(made))
end

local function isRelaxed(place) return a.now - place.since >= a.relaxAfter end

local function enter(place)
  local relaxed = isRelaxed(place)
  local partner = partnerFor(place, relaxed)
  if partner then
    local other = placeOf(partner)
    takeOut(partner)
    pair(place, other)
    return
  end
  put(place, 'waiting')
  call('ZADD', relaxed and RELAXED or RECENT, exact(place.since + place.lot), place.user)
end

local function relax()
  while true do
    local first = call('ZRANGE', RECENT, 0, 0)[1]
    if not first then return end
    local place = placeOf(first)
    if not isRelaxed(place) then return end
    call('ZREM', RECENT, first)
    enter(place)
  end
end

local function tick()
  expire(a.now)
  relax()
end

local function unpair(user)
  local opened = get(key('place', user), 'pair')
  if opened and a.self then call('HDEL', key('opening', a.self), opened) end
  call('HDEL', key('place', user), 'pair')
end

local function exclude(kind, user, names)
  for from = 1, #names, 1000 do call('SADD', key(kind, user), unpack(names, from, math.min(from + 999, #names))) end
end

local function hold(place)
  takeOut(place.user)
  put(place, 'absent')
  call('ZADD', ABSENT, exact(a.now + a.keep), place.user)
end

local function persist(user)
  call('PERSIST', key('blocked', user))
  call('PERSIST', key('met', user))
end

local function isAlive(server)
  local time = call('TIME')
  local untilTime = call('ZSCORE', SERVERS, server)
  return untilTime and tonumber(untilTime) > time[1] * 1000 + math.floor(time[2] / 1000)
end

local steps = {}

function steps.join()
  if not isMine(a.user) then return end
  expire(a.now)
  local held = placeOf(a.user)
  if held and held.state == 'opening' then return end
  takeOut(a.user)
  relax()
  call('DEL', key('blocked', a.user), key('met', a.user))
  exclude('blocked', a.user, a.blocked)
  exclude('met', a.user, a.met)
  enter({ user = a.user, since = held and held.since or a.now, lot = held and held.lot or a.lot })
end

function steps.restore()
  if not isMine(a.user) then return end
  takeOut(a.user)
  unpair(a.user)
  persist(a.user)
  exclude('blocked', a.user, a.blocked)
  tick()
  enter({ user = a.user, since = a.since, lot = a.lot })
end

function steps.hold()
  if not isMine(a.user) then return end
  unpair(a.user)
  persist(a.user)
  exclude('blocked', a.user, a.blocked)
  hold({ user = a.user, since = a.since, lot = a.lot })
end

function steps.drop()
  local place = isMine(a.user) and placeOf(a.user)
  if place and place.state ~= 'opening' then hold(place) end
end

function steps.resume()
  tick()
  local place = isMine(a.user) and placeOf(a.user)
  if not place or place.state ~= 'absent' then return end
  takeOut(a.user)
  enter(place)
end

function steps.leave()
  if isMine(a.user) then remove(a.user) end
end

function steps.block()
  for _, both in ipairs({ { a.one, a.other }, { a.other, a.one } }) do
    if placeOf(both[1]) then call('SADD', key('blocked', both[1]), both[2]) end
  end
end

steps.tick = tick

function steps.find()
  local place = placeOf(a.user)
  if place and place.state ~= 'opening' then answer.since = place.since end
end

-- Matches that this server is to open; it may have missed the answer that told it.
function steps.unopened()
  for _, made in ipairs(call('HVALS', key('opening', a.self))) do
    answer.pairs = answer.pairs or {}
    table.insert(answer.pairs, cjson.decode(made))
  end
end

-- A connection of the user is here. Answers where the user is at home.
function steps.attach()
  local home = get(userOf(a.user), 'home')
  if not home or not call('ZSCORE', SERVERS, home) then
    home = a.self
    settleAt(a.user, home)
  end
  call('HSET', userOf(a.user), 'at', a.self)
  answer.home = home
  answer.order = call('HINCRBY', userOf(a.user), 'order', 1)
end

-- Where the user's connection is, told again to a Redis that has forgotten it.
function steps.at() call('HSET', userOf(a.user), 'at', a.self) end

-- The earlier home has sent everything; the user is at home here if nobody was faster.
function steps.claim()
  local home = get(userOf(a.user), 'home')
  if not home or home == a.from then
    settleAt(a.user, a.self)
    home = a.self
  end
  answer.home = home
end

-- This server keeps nothing of the user any more.
function steps.forget()
  if get(userOf(a.user), 'home') ~= a.self or get(userOf(a.user), 'session') or placeOf(a.user) then return end
  call('SREM', key('homes', a.self), a.user)
  call('DEL', userOf(a.user))
end

local function keepSession(host)
  call('HSET', key('session', a.id), 'caller', a.caller, 'callee', a.callee, 'startedAt', exact(a.startedAt),
    'connected', a.connected and 1 or 0, 'host', host)
  call('SADD', key('sessions', host), a.id)
  for _, user in ipairs({ a.caller, a.callee }) do
    local earlier = settleAt(user, host)
    if earlier and earlier ~= host then notify(earlier, { t = 'move', user = user, to = host }) end
    call('HSET', userOf(user), 'session', a.id)
  end
end

function steps.opened()
  call('HDEL', key('opening', a.self), a.caller)
  for _, user in ipairs({ a.caller, a.callee }) do
    takeOut(user)
    call('DEL', key('place', user))
    call('PEXPIRE', key('blocked', user), KEEP_EXCLUSIONS_MS)
    call('PEXPIRE', key('met', user), KEEP_EXCLUSIONS_MS)
  end
  keepSession(a.self)
end

function steps.connected()
  if call('EXISTS', key('session', a.id)) == 1 then call('HSET', key('session', a.id), 'connected', 1) end
end

function steps.ended()
  for _, user in ipairs(call('HMGET', key('session', a.id), 'caller', 'callee')) do
    if user and get(userOf(user), 'session') == a.id then call('HDEL', userOf(user), 'session') end
  end
  call('SREM', key('sessions', a.self), a.id)
  call('DEL', key('session', a.id))
end

function steps.renew()
  if call('ZSCORE', DEAD, a.self) then
    answer.state = 'dead'
    return
  end
  local time = call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  answer.state = call('ZSCORE', SERVERS, a.self) and 'known' or 'new'
  call('ZADD', SERVERS, now + a.lease, a.self)
  answer.servers = call('ZRANGE', SERVERS, 0, -1)
  answer.expired = call('ZRANGEBYSCORE', SERVERS, '-inf', now)
end

-- The server ends in order: whoever renews next takes its people over.
function steps.retire()
  if call('ZSCORE', SERVERS, a.self) then call('ZADD', SERVERS, 0, a.self) end
end

-- Takes over some of what a dead server had; answers whether there is more.
function steps.reap()
  local dead = a.dead
  if not call('ZSCORE', SERVERS, dead) or isAlive(dead) then return end
  for _, id in ipairs(call('SRANDMEMBER', key('sessions', dead), 100)) do
    local found = call('HMGET', key('session', id), 'caller', 'callee', 'startedAt', 'connected')
    if found[1] then
      local host = a.self
      for _, user in ipairs({ found[2], found[1] }) do
        local at = get(userOf(user), 'at')
        if at and at ~= dead and isAlive(at) then host = at end
      end
      call('HSET', key('session', id), 'host', host)
      call('SADD', key('sessions', host), id)
      for _, user in ipairs({ found[1], found[2] }) do settleAt(user, host) end
      notify(host, { t = 'adopt', id = id, caller = found[1], callee = found[2], startedAt = tonumber(found[3]), connected = found[4] == '1' })
    end
    call('SREM', key('sessions', dead), id)
  end
  if call('SCARD', key('sessions', dead)) == 0 then
    for _, user in ipairs(call('SRANDMEMBER', key('homes', dead), 300)) do
      local place = placeOf(user)
      if place then
        call('HDEL', key('place', user), 'pair')
        hold(place)
      end
      local at = get(userOf(user), 'at')
      if at and at ~= dead and isAlive(at) then
        settleAt(user, at)
      else
        call('DEL', userOf(user))
      end
      call('SREM', key('homes', dead), user)
    end
  end
  if call('SCARD', key('sessions', dead)) + call('SCARD', key('homes', dead)) > 0 then
    answer.more = true
    return
  end
  local time = call('TIME')
  call('ZREM', SERVERS, dead)
  call('ZADD', DEAD, time[1] * 1000, dead)
  call('ZREMRANGEBYSCORE', DEAD, '-inf', time[1] * 1000 - 86400000)
  call('DEL', key('to', dead), key('opening', dead), key('homes', dead), key('sessions', dead))
end

if a.seed then math.randomseed(a.seed) end
steps[ARGV[1]]()
local first = a.relaxAfter and call('ZRANGE', RECENT, 0, 0)[1]
if first then answer.next = placeOf(first).since + a.relaxAfter end
return cjson.encode(answer)
