-- ctxpack in Neovim: ask, see the pack in a scratch buffer and the quickfix list, copy it as Markdown.
local cli = require("ctxpack.cli")
local config = require("ctxpack.config")
local view = require("ctxpack.view")

local M = { setup = config.setup }

local last -- the lines of the last pack, for :CtxPackCopy

local function tell(text, level)
  vim.notify("ctxpack: " .. text, level or vim.log.levels.INFO)
end

-- The text of the last visual selection: characters, whole lines or a block, as it was made.
local function selection()
  local from, to, mode = vim.fn.getpos("'<"), vim.fn.getpos("'>"), vim.fn.visualmode()
  local lines = vim.api.nvim_buf_get_lines(0, from[2] - 1, to[2], false)
  if mode == "V" or #lines == 0 then
    return table.concat(lines, "\n")
  end
  local first = from[3]
  if mode == "v" then
    lines[#lines] = lines[#lines]:sub(1, to[3] + #vim.fn.matchstr(lines[#lines], ".", to[3] - 1) - 1)
    lines[1] = lines[1]:sub(first)
  else
    local left, right = math.min(first, to[3]), math.max(first, to[3])
    for number, line in ipairs(lines) do
      lines[number] = line:sub(left, right)
    end
  end
  return table.concat(lines, "\n")
end

-- Ask, and give the answer to `show(data, hints, root)`.
local function ask(arguments, text, show)
  local root = cli.root(vim.bo.buftype == "" and vim.api.nvim_buf_get_name(0) or "")
  local line = vim.list_extend(vim.deepcopy(arguments), { "--repo", root })
  cli.ask(line, text, function(data, hints)
    show(data, hints, root)
    local count = #(data.items or data.hits)
    tell(count == 1 and "1 place" or count .. " places")
  end, function(error)
    M.candidates(error, root)
  end)
end

local function show_pack(data, hints, root)
  view.show("query", data, hints, root)
  last = (view.lines(data, {}))
end

local function budget()
  return { "--max-chars", tostring(config.options.max_chars) }
end

-- What is asked for: the text, else the selection, else the word under the cursor; nil where there is none.
local function asked(text, ranged)
  if vim.trim(text) == "" then
    text = ranged and selection() or vim.fn.expand("<cword>")
  end
  if vim.trim(text) ~= "" then
    return text
  end
  tell("no query: give one, or select some text", vim.log.levels.WARN)
end

-- The pack for a query; without one, for the selection, else for the word under the cursor.
function M.query(text, ranged)
  text = asked(text, ranged)
  if text then
    ask(vim.list_extend({ "query", "-" }, budget()), text, show_pack)
  end
end

-- The places that answer a query, best first, in the quickfix list alone.
function M.places(text, ranged)
  text = asked(text, ranged)
  if text then
    ask({ "search", "-", "--top-k", "30" }, text, function(data, _, root)
      view.quickfix(data, root)
    end)
  end
end

-- The same, to choose one of. `options` are Telescope's.
function M.pick(text, options)
  text = asked(text, false)
  if text then
    ask({ "search", "-", "--top-k", "30" }, text, function(data, _, root)
      require("ctxpack.pick").pick(view.entries(data, root), "ctxpack: " .. text, options)
    end)
  end
end

-- What is tied to a symbol or a place; without one, to the line of the cursor.
function M.related(target)
  if target == "" then
    local file = vim.api.nvim_buf_get_name(0)
    if file == "" or vim.bo.buftype ~= "" then
      return tell("this buffer is not a file: give a symbol, or open a file", vim.log.levels.WARN)
    end
    target = file .. ":" .. vim.fn.line(".")
  end
  ask({ "related", "-", "--content", "--top-k", "20" }, target, function(data, hints, root)
    view.show("related", data, hints, root)
  end)
end

-- What a reviewer needs of what changed since a revision; without one, of what is not committed.
function M.diff(revision)
  local which = revision == "--staged" and revision or "--diff=" .. (revision == "" and "HEAD" or revision)
  ask(vim.list_extend({ "query", which }, budget()), nil, show_pack)
end

-- Put the last pack into the registers, as Markdown.
function M.copy()
  if not last then
    return tell("there is no pack to copy yet: ask with :CtxPack first", vim.log.levels.WARN)
  end
  local text = table.concat(last, "\n") .. "\n"
  vim.fn.setreg('"', text)
  -- Without a clipboard program the register cannot be written; the unnamed one still holds the text.
  local copied = pcall(vim.fn.setreg, config.options.register, text)
  tell(copied and #last .. " lines copied" or #last .. " lines copied to the unnamed register only")
end

function M.cancel()
  tell(cli.cancel() and "stopped" or "nothing is running")
end

-- A name that several places have: the quickfix list offers them.
function M.candidates(error, root)
  local entries = {}
  for _, candidate in ipairs(error.code == "ambiguous" and error.details.candidates or {}) do
    local name, file, line = candidate:match("^(.*) %((.+):(%d+)%)$")
    if name then
      table.insert(entries, { filename = root .. "/" .. file, lnum = tonumber(line), text = name })
    end
  end
  if #entries > 0 then
    vim.fn.setqflist({}, " ", { title = "ctxpack: which one?", items = entries })
    vim.cmd("botright copen")
  end
end

return M
