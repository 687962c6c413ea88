-- Choose one of the places that a query ranks: with Telescope where it is installed, else with vim.ui.select.
local M = {}

local function open(entry)
  vim.cmd("edit " .. vim.fn.fnameescape(entry.filename))
  vim.api.nvim_win_set_cursor(0, { math.min(entry.lnum, vim.fn.line("$")), 0 })
end

local function with_telescope(entries, title, options)
  local values = require("telescope.config").values
  local finder = require("telescope.finders").new_table({
    results = entries,
    entry_maker = function(entry)
      return {
        value = entry,
        display = entry.text,
        ordinal = entry.text,
        filename = entry.filename,
        path = entry.filename,
        lnum = entry.lnum,
      }
    end,
  })
  require("telescope.pickers").new(options, {
    prompt_title = title,
    finder = finder,
    previewer = values.grep_previewer(options),
    sorter = values.generic_sorter(options),
  }):find()
end

-- `entries` as for the quickfix list; `options` are Telescope's.
function M.pick(entries, title, options)
  if pcall(require, "telescope") then
    return with_telescope(entries, title, options or {})
  end
  vim.ui.select(entries, {
    prompt = title,
    format_item = function(entry)
      return entry.text
    end,
  }, function(entry)
    if entry then
      open(entry)
    end
  end)
end

return M
