-- One step of a pool: who waits, who is at home where, who is in which session. All keys share the tag of KEYS[1], so that
-- a cluster keeps a pool on one node. ARGV: the step, and its arguments as JSON. The answer is JSON. What is not
-- defined here comes from pool-lines.lua, which is put before it.
local steps = {}

function steps.join()
  if not isMine(a.user) then return end
  expire(a.now)
  local held = placeOf(a.user)
  if held and held.state == 'opening' then return end
  takeOut(a.user)
  advance()
  call('DEL', key('blocked', a.user), key('met', a.user))
  exclude('blocked', a.user, a.blocked)
  exclude('met', a.user, a.met)
  local since, lot = held and held.since or a.now, held and held.lot or a.lot
  enter({ user = a.user, region = a.region, spills = isFirstIn(a.region, a.user), since = since, lot = lot })
end

function steps.restore()
  if not isMine(a.user) then return end
  takeOut(a.user)
  unpair(a.user)
  persist(a.user)
  exclude('blocked', a.user, a.blocked)
  exclude('met', a.user, a.met)
  tick()
  enter({ user = a.user, region = a.region, spills = a.spills, since = a.since, lot = a.lot })
end

function steps.hold()
  if not isMine(a.user) then return end
  unpair(a.user)
  persist(a.user)
  exclude('blocked', a.user, a.blocked)
  exclude('met', a.user, a.met)
  hold({ user = a.user, region = a.region, spills = a.spills, since = a.since, lot = a.lot })
end

function steps.drop()
  local place = isMine(a.user) and placeOf(a.user)
  if place and place.state ~= 'opening' then hold(place) end
end

local function tell(place)
  if place then answer.since, answer.region = place.since, place.region end
end

-- Somebody absent is back, or somebody who waits is in another region.
function steps.resume()
  tick()
  local place = isMine(a.user) and placeOf(a.user)
  if not place or place.state == 'opening' or (place.state == 'waiting' and place.region == a.region) then return end
  takeOut(a.user)
  place.region = a.region
  enter(place)
  tell(waiterOf(a.user))
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
  if place and place.state ~= 'opening' then tell(place) end
end

-- Matches that this server is to open; it may have missed the answer that told it.
function steps.unopened()
  for _, text in ipairs(call('HVALS', key('opening', a.self))) do
    local made = cjson.decode(text)
    local isDue = true
    for _, place in ipairs({ made.caller, made.callee }) do
      local found = call('HMGET', key('place', place.user), 'state', 'pair')
      isDue = isDue and found[1] == 'opening' and found[2] == made.caller.user
    end
    if isDue then
      answer.pairs = answer.pairs or {}
      table.insert(answer.pairs, made)
    else
      call('HDEL', key('opening', a.self), made.caller.user)
    end
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
  -- A later connection has a greater number, also when Redis has forgotten the earlier one.
  local order = math.max(microseconds(), tonumber(get(userOf(a.user), 'order') or '0') + 1)
  answer.order = string.format('%.0f', order)
  call('HSET', userOf(a.user), 'order', answer.order)
end

-- What a Redis that has forgotten everything must know of this server: who is at home and who is connected there.
function steps.remember()
  for _, user in ipairs(a.homes) do
    local earlier = settleAt(user, a.self)
    if earlier and earlier ~= a.self then notify(earlier, { t = 'move', user = user, to = a.self }) end
  end
  for _, user in ipairs(a.here) do call('HSET', userOf(user), 'at', a.self) end
end

-- This server keeps nothing of the user any more.
function steps.forget()
  local at = get(userOf(a.user), 'at')
  if at and at ~= a.self and isAlive(at) then return end
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

-- Refused for whoever is not on the way into this match any more. A Redis that has forgotten the places believes it.
function steps.opened()
  for _, user in ipairs({ a.caller, a.callee }) do
    local found = call('HMGET', key('place', user), 'state', 'pair')
    if found[1] and (found[1] ~= 'opening' or found[2] ~= a.caller) then
      answer.refused = true
      return
    end
  end
  call('HDEL', key('opening', a.self), a.caller)
  for _, user in ipairs({ a.caller, a.callee }) do
    takeOut(user)
    call('DEL', key('place', user))
    call('PEXPIRE', key('blocked', user), KEEP_EXCLUSIONS_MS)
    call('PEXPIRE', key('met', user), KEEP_EXCLUSIONS_MS)
  end
  keepSession(a.self)
end

-- A Redis that has forgotten everything is told of a session that goes on.
function steps.kept() keepSession(a.self) end

-- A session of which only the store knows, because nobody was left who knew of it.
function steps.takeUp()
  if call('EXISTS', key('session', a.id)) == 1 then return end
  for _, user in ipairs({ a.caller, a.callee }) do
    local place = placeOf(user)
    if get(userOf(user), 'session') or (place and place.state == 'opening') then return end
  end
  keepSession(a.self)
  answer.taken = true
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
  local now = milliseconds()
  answer.state = call('ZSCORE', SERVERS, a.self) and 'known' or 'new'
  if answer.state == 'new' then
    for _, server in ipairs(call('ZRANGE', SERVERS, 0, -1)) do notify(server, { t = 'joined', server = a.self }) end
  end
  call('ZADD', SERVERS, exact(now + a.lease), a.self)
  if call('EXISTS', key('to', a.self)) == 0 then call('XADD', key('to', a.self), '*', 'h', '1') end
  -- Another one tells that Redis has lost its memory, or the last of it: a replica that takes over may have missed some.
  call('SETNX', P .. ':epoch', a.self .. ' ' .. exact(now))
  answer.epoch = call('GET', P .. ':epoch') .. ' ' .. history()
  answer.servers = call('ZRANGE', SERVERS, 0, -1)
  answer.retired = call('ZRANGEBYSCORE', SERVERS, 0, 0)
  answer.expired = call('ZRANGEBYSCORE', SERVERS, '(0', exact(now))
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
  local now = milliseconds()
  call('ZREM', SERVERS, dead)
  call('ZADD', DEAD, exact(now), dead)
  call('ZREMRANGEBYSCORE', DEAD, '-inf', exact(now - REMEMBER_DEAD_MS))
  call('DEL', key('to', dead), key('opening', dead), key('homes', dead), key('sessions', dead))
end

if a.self and call('ZSCORE', DEAD, a.self) then return '{"state":"dead"}' end
if a.seed then math.randomseed(a.seed) end
steps[ARGV[1]]()
if a.relaxAfter then
  local lines = linesBut(nil)
  local function due(line, after)
    local first = firstOf(line)
    if first then answer.next = math.min(answer.next or math.huge, first.since + after) end
  end
  for _, both in ipairs(lines) do due(both[2], a.relaxAfter) end
  if #lines > 1 then due(LOCAL, a.spillAfter) end
end
return cjson.encode(answer)
