-- Shows an answer: a scratch buffer in Markdown, and the quickfix list with its places.
local config = require("ctxpack.config")

local M = {}

local NAMES = { query = "ctxpack://pack", related = "ctxpack://related" }

local function one_line(text)
  return (text:gsub("%c", " "))
end

local function place(item)
  local lines = item.start_line == item.end_line and item.start_line or (item.start_line .. "-" .. item.end_line)
  return one_line(item.file) .. ":" .. lines
end

local function names(item)
  local parts = vim.tbl_filter(function(part)
    return part ~= nil and part ~= ""
  end, { item.type or "", item.symbol or "" })
  return one_line(table.concat(parts, " "))
end

local function tie(item)
  return item.relationship and table.concat(item.relationship, ", "):gsub("_", " ") or nil
end

-- A fence that is longer than any run of backticks inside (CommonMark 4.5).
local function fence(text)
  local longest = 2
  for run in text:gmatch("`+") do
    longest = math.max(longest, #run)
  end
  return string.rep("`", longest + 1)
end

-- What a fence is labelled with. Neovim 0.7 matches names otherwise than later ones do: the suffix serves it.
local function language(file)
  local known, found = pcall(vim.filetype.match, { filename = file })
  return known and found or vim.fn.fnamemodify(file, ":e")
end

-- Adds a text to the lines, and returns the number of its first line.
local function add(lines, text)
  local first = #lines + 1
  vim.list_extend(lines, vim.split(text, "\n", { plain = true }))
  return first
end

local function code(lines, item)
  local mark = fence(item.content)
  add(lines, "")
  add(lines, mark .. (language(item.file) or ""))
  add(lines, item.content)
  add(lines, mark)
end

-- What a change took out of an item, or would put in, as a diff.
local function hunks(lines, item)
  local diff = {}
  local function side(sign, text)
    for _, line in ipairs(text and vim.split(text, "\n", { plain = true }) or {}) do
      table.insert(diff, sign .. line)
    end
  end
  for _, hunk in ipairs(item.hunks or {}) do
    table.insert(diff, "@@ before line " .. hunk.line .. " @@")
    side("-", hunk.old)
    side("+", hunk.new)
    if hunk.more then
      table.insert(diff, "(" .. hunk.more .. " more lines of the change)")
    end
  end
  if #diff > 0 then
    local text = table.concat(diff, "\n")
    local mark = fence(text)
    add(lines, mark .. "diff")
    add(lines, text)
    add(lines, mark)
  end
end

local function title_of(data)
  if data.diff then
    local base, head = data.diff.base, data.diff.head
    local changes = "changes " .. (head and "in " .. base .. ".." .. head or "since " .. base)
    return data.query ~= "" and data.query .. "; " .. changes or changes
  end
  return data.query
end

-- The lines of a pack or a list of related places, and which item stands on which line: {line = item}.
function M.lines(data, hints)
  local lines, at = {}, {}
  add(lines, "# " .. one_line(title_of(data)))
  add(lines, "")
  for _, hint in ipairs(hints) do
    add(lines, "> " .. one_line(hint.text))
  end
  for _, item in ipairs(data.items or data.hits or {}) do
    if lines[#lines] ~= "" then
      add(lines, "")
    end
    local first = add(lines, "## " .. place(item) .. (names(item) ~= "" and " " .. names(item) or ""))
    add(lines, "")
    add(lines, (tie(item) or item.role or "") .. string.format(", score %.3f", item.score))
    if item.content then
      code(lines, item)
      hunks(lines, item)
    end
    for line = first, #lines do
      at[line] = item
    end
  end
  if data.budget then
    add(lines, "")
    add(lines, string.format("%d of %d characters", data.budget.used_chars, data.budget.max_chars))
  end
  return lines, at
end

-- The places of an answer, as the quickfix list takes them.
function M.entries(data, root)
  local entries = {}
  for _, item in ipairs(data.items or data.hits or {}) do
    local changed = item.changed and item.changed[1]
    table.insert(entries, {
      filename = root .. "/" .. item.file,
      lnum = changed and changed[1] or item.start_line,
      end_lnum = item.end_line,
      text = one_line(vim.trim((tie(item) or item.role or "") .. " " .. names(item))),
    })
  end
  return entries
end

-- Put the places of an answer into the quickfix list; `stay` keeps the cursor where it is.
function M.quickfix(data, root, stay)
  local entries = M.entries(data, root)
  local title = "ctxpack: " .. one_line(title_of(data))
  vim.fn.setqflist({}, " ", { title = title, items = entries })
  if #entries > 0 and (config.options.quickfix or not stay) then
    local window = vim.api.nvim_get_current_win()
    vim.cmd("botright copen")
    if stay then
      vim.api.nvim_set_current_win(window)
    end
  end
end

-- The buffer of a kind of answer, in a window; the same buffer is used again.
local function buffer(kind)
  local found = vim.fn.bufnr("^" .. NAMES[kind] .. "$")
  if found < 0 then
    found = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(found, NAMES[kind])
  end
  local window = vim.fn.bufwinid(found)
  if window >= 0 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd(config.options.open)
    vim.api.nvim_win_set_buf(0, found)
  end
  return found
end

local function jump(buf, root)
  local item = (vim.b[buf].ctxpack_at or {})[tostring(vim.fn.line("."))]
  if not item then
    return
  end
  vim.cmd("wincmd p")
  vim.cmd("edit " .. vim.fn.fnameescape(root .. "/" .. item[1]))
  vim.api.nvim_win_set_cursor(0, { math.min(item[2], vim.fn.line("$")), 0 })
end

-- Show an answer of `kind` ("query" or "related").
function M.show(kind, data, hints, root)
  local lines, at = M.lines(data, hints)
  local buf = buffer(kind)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  vim.bo[buf].buftype = "nofile"
  vim.bo[buf].bufhidden = "hide"
  vim.bo[buf].swapfile = false
  vim.bo[buf].filetype = "markdown"
  local places = {}
  for line, item in pairs(at) do
    places[tostring(line)] = { item.file, item.changed and item.changed[1][1] or item.start_line }
  end
  vim.b[buf].ctxpack_at = places
  local function map(key, run, text)
    vim.keymap.set("n", key, run, { buffer = buf, nowait = true, desc = text })
  end
  map("<CR>", function()
    jump(buf, root)
  end, "Open the file at this place")
  map("q", "<cmd>close<CR>", "Close the window")
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  M.quickfix(data, root, true)
end

return M
